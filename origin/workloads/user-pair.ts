import { basename, extname } from 'node:path';
import { OriginError } from '../error.ts';
import { readForeignFile } from '../foreign-file.ts';
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

/** The bytes of a file, or the reason why it cannot be a version of a workload. */
function readVersion(path: string): Buffer | string {
  try {
    const content = readForeignFile(path, { mostBytes: largestWorkloadBytes });
    return content.length > 0 ? content : `${path} is empty; a workload needs bytes`;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * The user's own two versions of a file.
 *
 * @throws OriginError CS_WORKLOAD_FILE listing all problems of both files.
 */
export async function userWorkload(
  dictionaryPath: string,
  resourcePath: string,
): Promise<Workload> {
  const dictionary = readVersion(dictionaryPath);
  const resource = readVersion(resourcePath);
  if (typeof dictionary === 'string' || typeof resource === 'string') {
    const problems = [dictionary, resource].filter((version) => typeof version === 'string');
    throw new OriginError('CS_WORKLOAD_FILE', problems.join('\n'));
  }
  const title = `${basename(dictionaryPath)} -> ${basename(resourcePath)}`;
  const contentType =
    contentTypes[extname(resourcePath).toLowerCase()] ?? 'application/octet-stream';
  return createWorkload({ name: 'own', title, contentType }, dictionary, resource);
}
