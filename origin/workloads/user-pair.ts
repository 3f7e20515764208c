import { open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { OriginError } from '../error.ts';
import { createWorkload, largestWorkloadBytes, type Workload } from './workload.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** A file's bytes, or in words why it can be no version of a workload. Its size is asked first: a device has no end. */
async function readVersion(path: string): Promise<Buffer | string> {
  try {
    await using file = await open(path);
    const stat = await file.stat();
    if (!stat.isFile()) return `${path} is no regular file`;
    if (stat.size === 0) return `${path} is empty; a workload needs bytes`;
    if (stat.size > largestWorkloadBytes)
      return `${path} has ${stat.size} bytes; at most ${largestWorkloadBytes} are allowed`;
    return await file.readFile();
  } catch (error) {
    return `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

/**
 * The user's own two versions of a file.
 *
 * @throws OriginError CS_WORKLOAD_FILE naming all that is wrong with either.
 */
export async function userWorkload(
  dictionaryPath: string,
  resourcePath: string,
): Promise<Workload> {
  const [dictionary, resource] = await Promise.all([
    readVersion(dictionaryPath),
    readVersion(resourcePath),
  ]);
  if (typeof dictionary === 'string' || typeof resource === 'string') {
    const problems = [dictionary, resource].filter((version) => typeof version === 'string');
    throw new OriginError('CS_WORKLOAD_FILE', problems.join('\n'));
  }
  const title = `${basename(dictionaryPath)} -> ${basename(resourcePath)}`;
  const contentType =
    contentTypes[extname(resourcePath).toLowerCase()] ?? 'application/octet-stream';
  return createWorkload({ name: 'own', title, contentType }, dictionary, resource);
}
