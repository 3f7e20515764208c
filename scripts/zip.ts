// npm run build:extension: the unpacked extension in extension/dist, and a zip of it for a store in dist/.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Zippable, zipSync } from 'fflate';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Only useful with the unpacked extension: reports are for the command line, source maps are for debuggers. */
const leftOut = /^reports\/|\.map$/;
/**
 * The earliest time that a zip can represent, so that the same sources give the same bytes. Local time, as in the zip
 * format.
 */
const modified = new Date(1980, 0, 1);

/**
 * The permission that Chromium grants only at installation, with a warning. The depth that needs it is marked as
 * available only in the unpacked extension.
 */
const unpackedOnly = 'debugger';

/** The manifest for a store: without the `debugger` permission, and without `key`, which the store assigns. */
export function storeManifest(text: string): string {
  const { key: _key, permissions = [], ...rest } = JSON.parse(text);
  const kept = (permissions as string[]).filter((permission) => permission !== unpackedOnly);
  return JSON.stringify({ ...rest, ...(kept.length > 0 && { permissions: kept }) }, null, 2);
}

/** The built extension in `directory` as a zip for a store. The same files give the same bytes. */
export function storeZip(directory: string): Uint8Array {
  const files: Zippable = {};
  for (const name of fileNames(directory)) {
    const bytes = readFileSync(join(directory, name));
    files[name] =
      name === 'manifest.json' ? Buffer.from(storeManifest(bytes.toString('utf8'))) : bytes;
  }
  return zipSync(files, { level: 9, mtime: modified });
}

/** Names of the files in the zip, with slashes, sorted. */
function fileNames(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !leftOut.test(name))
    .toSorted();
}

async function main(): Promise<void> {
  if (process.argv.length > 2) {
    console.error(
      'npm run build:extension takes no options. It writes the unpacked extension to extension/dist and a zip for a store to dist.',
    );
    process.exit(2);
  }
  const { createBuilder } = await import('vite');
  const configFile = join(root, 'vite.config.ts');
  const builder = await createBuilder({ configFile, configLoader: 'native' });
  await builder.buildApp();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const unpacked = join(root, 'extension/dist');
  const zip = join(root, 'dist', `cachescope-${version}.zip`);
  await mkdir(dirname(zip), { recursive: true });
  await writeFile(zip, storeZip(unpacked));
  console.log(
    `Unpacked: ${relative(process.cwd(), unpacked)}\nFor a store: ${relative(process.cwd(), zip)}`,
  );
}

if (import.meta.main) await main();
