import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { houseRules, type TrackedFile } from './house-rules.ts';

const project = join(import.meta.dirname, '..');

/** The violations of each broken rule, by the index of the rule. */
function broken(files: readonly TrackedFile[]): Record<number, string[]> {
  const found = houseRules.map((rule, number) => [number, rule.broken(files)] as const);
  return Object.fromEntries(found.filter(([, names]) => names.length > 0));
}

const small = (...paths: string[]): TrackedFile[] => paths.map((path) => ({ path, bytes: 100 }));

const numbered = (count: number, folder: string, ending: string) =>
  small(...Array.from({ length: count }, (_, number) => `${folder}/x${number}${ending}`));

test('a tidy tree violates no rule', () => {
  const files = small(
    'README.md',
    '.ci/build.yml',
    'extension/model/load/load.ts',
    'origin/cli.ts',
  );
  expect(broken([...files, { path: 'pnpm-lock.yaml', bytes: 400_001 }])).toEqual({});
});

test('a folder may have 40 files and any number of tests; a fixture counts as a file', () => {
  const full = [
    ...numbered(40, 'harness/storage', '.ts'),
    ...numbered(9, 'harness/storage', '.test.ts'),
    ...numbered(40, 'harness/storage/nbd', '.ts'),
  ];
  expect(broken(full)).toEqual({});
  expect(broken([...full, ...small('harness/storage/table.json')])).toEqual({
    0: ['harness/storage: 41 files'],
  });
});

test('a sixth top-level folder is listed once', () => {
  expect(broken(small('docs/a.md', 'docs/more/b.md', 'test/a.ts'))).toEqual({ 1: ['docs'] });
});

test('a file may have 400 kB', () => {
  expect(broken([{ path: 'README.hit.png', bytes: 400_000 }])).toEqual({});
  expect(broken([{ path: 'README.hit.png', bytes: 400_001 }])).toEqual({
    2: ['README.hit.png: 401 kB'],
  });
});

test.each(['utils.ts', 'string-helpers.ts', 'common.css', 'misc.test.ts', 'cache_manager.py'])(
  'the file name %s is rejected',
  (name) => {
    const path = `origin/store/${name}`;
    expect(broken(small(path))).toEqual({ 3: [path] });
  },
);

test('a word that merely contains a forbidden one, the Common Log Format and folders are allowed', () => {
  expect(
    broken(small('origin/commonly.ts', 'extension/common-log.test.ts', 'test/misc/load.ts')),
  ).toEqual({});
});

// Starts the linter: only this shows that the project's own configuration detects such a cycle.
test('the linter rejects two files that import each other’s types', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cachescope-circle-'));
  try {
    for (const [mine, other] of ['ab', 'ba']) {
      const text = `import type { ${other} } from './${other}.ts';\nexport type ${mine} = ${other} | null;\n`;
      writeFileSync(join(directory, `${mine}.ts`), text);
    }
    const oxlint = join(project, 'node_modules/.bin/oxlint');
    const settings = join(project, '.oxlintrc.json');
    const { status, stdout } = spawnSync(oxlint, ['-c', settings, '--format', 'json'], {
      cwd: directory,
      encoding: 'utf8',
    });
    const codes = JSON.parse(stdout).diagnostics.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(['import(no-cycle)', 'import(no-cycle)']);
    expect(status).toBe(1);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
