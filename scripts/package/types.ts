import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withPackedPaths } from './compiled.ts';

const root = join(import.meta.dirname, '../..');

/**
 * The type declarations of modules and of everything they name, by their paths below the root, with paths that need no
 * workspace.
 *
 * @throws Error with the compiler's messages.
 */
export function declarations(sources: readonly string[]): Record<string, string> {
  const work = mkdtempSync(join(tmpdir(), 'cachescope-types-'));
  try {
    const config = join(work, 'tsconfig.json');
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: root,
      outDir: join(work, 'out'),
      // Files below node_modules, to which the workspace links, would have no declarations.
      paths: { '@cachescope/model/*': [join(root, 'extension/model/*')] },
      types: ['chrome-types', 'node'],
      typeRoots: [join(root, 'extension/node_modules'), join(root, 'node_modules/@types')],
    };
    const files = sources.map((source) => join(root, source));
    const settings = { extends: join(root, 'extension/tsconfig.json'), compilerOptions, files };
    writeFileSync(config, JSON.stringify({ ...settings, include: [] }));
    const compiler = join(root, 'node_modules/.bin/tsc');
    const { status, stdout, stderr } = spawnSync(compiler, ['-p', config], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
    const out = join(work, 'out');
    const paths = globSync('**/*.d.ts', { cwd: out });
    return Object.fromEntries(
      paths.map((path) => [path, withPackedPaths(path, readFileSync(join(out, path), 'utf8'))]),
    );
  } finally {
    rmSync(work, { recursive: true });
  }
}
