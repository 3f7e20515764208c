import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { YAML } from 'zx';
import { commandNames } from '../../harness/commands/commands.ts';
import { portableCommands } from '../../harness/environment/setup/platform.mjs';

const root = join(import.meta.dirname, '../..');

/** Path of the manifest. */
export const manifestPath = join(root, 'package.json');

interface Manifest {
  scripts: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies: Record<string, string>;
}

interface Lockfile {
  catalogs: { default: Record<string, { version: string }> };
}

/** The current package.json, with a script for each command and the packages that an installed Cachescope needs. */
export function manifest(): string {
  const now = readManifest('package.json');
  const own = Object.fromEntries(commandNames.map((name) => [name, startOf(name)]));
  const scripts = { ...own, ...now.scripts, ...own };
  const dependencies = packagesNeeded();
  const devDependencies = Object.fromEntries(
    Object.entries(now.devDependencies).filter(([name]) => !Object.hasOwn(dependencies, name)),
  );
  return `${JSON.stringify({ ...now, scripts, dependencies, devDependencies }, null, 2)}\n`;
}

/** A signal to npm must reach what measures or serves; cmd.exe, in which the others can be typed, has no exec. */
function startOf(name: string): string {
  const shell = portableCommands.has(name) && name !== 'origin' ? '' : 'exec ';
  return `${shell}node scripts/start.mjs harness/cli.ts ${name}`;
}

/**
 * npm supports neither pnpm's catalog nor its workspace: every runtime dependency of our packages is listed, in the
 * tested version of the lockfile.
 */
function packagesNeeded(): Record<string, string> {
  const { catalogs } = YAML.parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')) as Lockfile;
  const workspace = YAML.parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')) as {
    catalog: Record<string, string>;
  };
  const needed = ['harness', 'origin', 'extension/model'].flatMap((folder) =>
    Object.entries(readManifest(`${folder}/package.json`).dependencies ?? {}),
  );
  const rangeOf = (name: string) => workspace.catalog[name] ?? '';
  const names = needed.filter(([, range]) => range === 'catalog:').map(([name]) => name);
  // An alias (npm:three@0.180.0) is of a workload, whose file is packed (scripts/package/application.ts).
  const installed = names.filter((name) => !rangeOf(name).startsWith('npm:'));
  return Object.fromEntries(
    [...new Set(installed)]
      .toSorted()
      .map((name) => [name, catalogs.default[name]?.version ?? rangeOf(name)]),
  );
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;
}
