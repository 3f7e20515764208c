// Runs before `npm pack`: creates the files of an installed package in dist/application. The folders equal those of the
// project, so every relative path holds. TypeScript is compiled and the extension is built here, so the installation
// compiles nothing.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { commandNames } from '../../harness/commands/commands.ts';
import { publishedFiles } from '../../origin/workloads/catalog.ts';
import { manifestOf, type PublishedFile } from '../../origin/workloads/published-file.ts';
import { declarations } from './types.ts';
import { builtModule, libraryModules } from './library.ts';
import { compiled } from './compiled.ts';
import { packedFiles } from './packed-files.ts';

const root = join(import.meta.dirname, '../..');
const application = join(root, 'dist/application');

/** The workloads' files with manifest and licence, in place of packages that are up to a hundred times as large. */
function keepPublished(published: PublishedFile): void {
  const manifest = manifestOf(published);
  const { name, version, license } = JSON.parse(readFileSync(manifest, 'utf8'));
  const folder = join('origin/workloads/packed', published.alias);
  const { file, sha256 } = published;
  const known = { name, version, license, sha256: { [file]: sha256 } };
  keep(join(folder, 'package.json'), `${JSON.stringify(known, null, 2)}\n`);
  for (const path of ['LICENSE', file])
    keep(join(folder, path), readFileSync(join(dirname(manifest), path), 'utf8'));
}

async function main(): Promise<void> {
  const extension = await builtExtension();
  rmSync(application, { recursive: true, force: true });
  for (const path of packedFiles(root)) {
    const text = readFileSync(join(root, path), 'utf8');
    if (/\.(ts|mjs)$/.test(path))
      keep(path.replace(/\.ts$/, '.js'), compiled(path, text, commandNames));
    else keep(path, text);
  }
  publishedFiles.forEach(keepPublished);
  const { name, version } = readJson('package.json');
  keep('package.json', `${JSON.stringify({ name, version, type: 'module' })}\n`);
  // Packages that are fetched when they are first needed.
  const { optionalDependencies } = readJson('harness/package.json');
  keep('harness/package.json', `${JSON.stringify({ type: 'module', optionalDependencies })}\n`);
  for (const module of Object.keys(libraryModules))
    keep(`library/${module}.js`, await builtModule(module));
  const sources = Object.values(libraryModules).map(({ source }) => source);
  for (const [path, text] of Object.entries(declarations(sources))) keep(`types/${path}`, text);
  cpSync(extension, join(application, 'extension/dist'), {
    recursive: true,
    filter: (file) => !file.endsWith('.map'),
  });
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

function keep(path: string, text: string): void {
  const file = join(application, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

await main();
