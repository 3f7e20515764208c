import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { OriginError } from '../error.ts';
import { createWorkload, type Workload } from './workload.ts';

/** Chromium takes no larger dictionary (services/network/shared_dictionary: 100 MiB). */
const largestBytes = 100 * 1024 * 1024;

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

async function readVersion(path: string): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new OriginError('CS_WORKLOAD_FILE', `${path} cannot be read (${error.code})`, {
      cause: error,
    });
  });
  if (bytes.length === 0)
    throw new OriginError('CS_WORKLOAD_FILE', `${path} is empty; a workload needs bytes`);
  if (bytes.length > largestBytes) {
    throw new OriginError(
      'CS_WORKLOAD_FILE',
      `${path} has ${bytes.length} bytes; at most ${largestBytes} are allowed`,
    );
  }
  return bytes;
}

/**
 * The user's own two versions of a file.
 *
 * @throws OriginError CS_WORKLOAD_FILE
 */
export async function userWorkload(
  dictionaryPath: string,
  resourcePath: string,
): Promise<Workload> {
  const [dictionary, resource] = await Promise.all([
    readVersion(dictionaryPath),
    readVersion(resourcePath),
  ]);
  const title = `${basename(dictionaryPath)} -> ${basename(resourcePath)}`;
  const contentType =
    contentTypes[extname(resourcePath).toLowerCase()] ?? 'application/octet-stream';
  return createWorkload({ name: 'own', title, contentType }, dictionary, resource);
}
