import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { OriginError } from '../error.ts';

/** One file of a published package, in one version. */
export interface PublishedFile {
  /** Alias of the package and its version in this package's dependencies. */
  alias: string;
  /** Path below the package. */
  file: string;
  /** Of the file's bytes, hexadecimal. */
  sha256: string;
}

/**
 * Where the packed product has its manifest, licence and file in place of the whole package, which is up to a hundred times
 * as large (scripts/package/application.ts).
 */
const packed = (alias: string) =>
  fileURLToPath(new URL(`packed/${alias}/package.json`, import.meta.url));

/**
 * Path of the manifest of the package.
 *
 * @throws OriginError CS_WORKLOAD_PACKAGE when it is not installed.
 */
export function manifestOf({ alias }: PublishedFile): string {
  const own = packed(alias);
  const manifest = existsSync(own) ? own : findPackageJSON(alias, import.meta.url);
  if (manifest !== undefined) return manifest;
  throw new OriginError(
    'CS_WORKLOAD_PACKAGE',
    `the package ${alias} is not installed; run any npm script of the project to install it`,
  );
}

/**
 * Its bytes, even if the package does not export it.
 *
 * @throws OriginError CS_WORKLOAD_PACKAGE when the package is not installed, or the file has other bytes.
 */
export async function packageFile(published: PublishedFile): Promise<Buffer> {
  const bytes = await readFile(new URL(published.file, pathToFileURL(manifestOf(published))));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 === published.sha256) return bytes;
  throw new OriginError(
    'CS_WORKLOAD_PACKAGE',
    `${published.file} of ${published.alias} has the SHA-256 ${sha256} and not ${published.sha256}; install the package again`,
  );
}
