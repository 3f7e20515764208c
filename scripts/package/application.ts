// Runs before `npm pack`: creates the files of an installed package in dist/application. The folders equal those of the
// project, so every relative path holds. TypeScript is compiled and the extension is built here, so the installation
// compiles nothing.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { commandNames } from '../../harness/commands/commands.ts';
import { compiled } from './compiled.ts';
import { packedFiles } from './packed-files.ts';

const root = join(import.meta.dirname, '../..');
const application = join(root, 'dist/application');

async function main(): Promise<void> {
  const extension = await builtExtension();
  rmSync(application, { recursive: true, force: true });
  for (const path of packedFiles(root)) {
    const text = readFileSync(join(root, path), 'utf8');
    if (/\.(ts|mjs)$/.test(path))
      keep(path.replace(/\.ts$/, '.js'), compiled(path, text, commandNames));
    else keep(path, text);
  }
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  keep('package.json', `${JSON.stringify({ name, version, type: 'module' })}\n`);
  cpSync(extension, join(application, 'extension/dist'), {
    recursive: true,
    filter: (file) => !file.endsWith('.map'),
  });
}

function keep(path: string, text: string): void {
  const file = join(application, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

await main();
