import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readFactorFlags } from './factor-reading.ts';

const directory = mkdtempSync(join(tmpdir(), 'factor-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

function problemsOf(raw: Parameters<typeof readFactorFlags>[0]): string {
  const problems: string[] = [];
  readFactorFlags(raw, problems);
  return problems.join('\n');
}

test('one value applies to the whole run, several make one variant each', () => {
  const problems: string[] = [];
  const { settings, variants } = readFactorFlags(
    { fileSystem: 'xfs', diskCache: 'simple,sql', readAhead: '0,128' },
    problems,
  );
  expect(problems).toEqual([]);
  expect(settings).toEqual({ fileSystem: 'xfs' });
  expect(variants).toEqual([
    { name: 'disk-cache=simple+read-ahead=0', diskCache: 'simple', readAheadKiB: 0 },
    { name: 'disk-cache=simple+read-ahead=128', diskCache: 'simple', readAheadKiB: 128 },
    { name: 'disk-cache=sql+read-ahead=0', diskCache: 'sql', readAheadKiB: 0 },
    { name: 'disk-cache=sql+read-ahead=128', diskCache: 'sql', readAheadKiB: 128 },
  ]);
});

test('without these flags a run has neither', () => {
  expect(readFactorFlags({}, [])).toEqual({ settings: undefined, variants: undefined });
});

test('a file of variants is read', () => {
  const variants = [
    { name: 'stock' },
    { name: 'patched', browser: '/opt/chrome' },
    { name: 'flag', browser: '/opt/chrome', flags: ['--x'] },
    { name: 'feature', browser: '/opt/chrome', flags: ['--x'], enabledFeatures: ['A'] },
  ];
  const path = file('variants.json', JSON.stringify(variants));
  expect(readFactorFlags({ variants: path }, []).variants).toEqual(variants);
});

const several = file(
  'several',
  '[{"name":"stock","diskCache":"simple"},{"name":"fix","diskCache":"sql","enabledFeatures":["A"]}]',
);

test.each([
  [{ variants: several }, 'fix differs from stock in disk cache and A, so no verdict could name'],
  [{ diskCache: 'simple,quick' }, '"quick"; known are simple, blockfile, sql'],
  [{ fileSystem: 'ext4,ext4' }, '--file-system names a value twice'],
  [{ readAhead: '5' }, 'a multiple of 4'],
  [{ readAhead: '-4' }, 'from 0KiB to 64MiB'],
  [{ cacheSize: '64' }, 'with its unit, such as 64KiB'],
  [{ cacheSize: '3GiB' }, 'from 1MiB to 2047MiB'],
  [{ variants: '/nonexistent' }, 'cannot be read (ENOENT)'],
  [{ variants: file('text', 'no') }, 'is not JSON'],
  [{ variants: file('typo', '[{"name":"a","flag":["--x"]}]') }, 'Unrecognized key'],
  [{ variants: file('odd', '[{"name":"a b"}]') }, '0.name'],
  [{ variants: file('ahead', '[{"name":"a","readAheadKiB":3}]') }, 'readAheadKiB'],
  [{ variants: file('cache', '[{"name":"a","cacheBytes":1e300}]') }, 'cacheBytes'],
  [{ variants: file('twice', '[{"name":"a"},{"name":"a"}]') }, 'has a name twice'],
  [{ variants: file('own', '[{"name":"recompressed"}]') }, "which is the sweep's own"],
  [{ variants: file('none', '[]') }, 'the whole'],
  [{ variants: file('ok', '[{"name":"a"}]'), diskCache: 'simple,sql' }, 'exclude each other'],
])('%j is refused', (raw, words) => {
  expect(problemsOf(raw)).toContain(words);
});
