import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { experiments } from '../../harness/experiments/index.ts';

/** Where the scripts are in the project. */
export const npmScriptsPath = join(import.meta.dirname, '../../package.json');

/** package.json as it is, with one script for each experiment, first of all. */
export function npmScripts(): string {
  const manifest: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(npmScriptsPath, 'utf8'),
  );
  const start = 'exec node scripts/start.mjs harness/cli.ts';
  const own = Object.fromEntries(
    Object.keys(experiments).map((name) => [name, `${start} ${name}`]),
  );
  const scripts = { ...own, ...manifest.scripts, ...own };
  return `${JSON.stringify({ ...manifest, scripts }, null, 2)}\n`;
}
