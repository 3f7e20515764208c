import { expect, test } from 'vitest';
import { madeUpBase } from '../fixtures/made-up-base.ts';
import type { StoringReading, StoringRun } from './run.ts';
import { storing } from './declaration.ts';
import { summarizeStoring } from './summary.ts';

const plan: StoringRun['plan'] = {
  variants: [{ name: 'stock' }, { name: 'fix', enabledFeatures: ['HttpCacheZstdCompression'] }],
  codings: ['dcb'],
  sizesBytes: [1024],
  bodies: ['text'],
  tenBytes: 1024,
  limitBytes: 2 ** 20,
  launches: 6,
  seed: 1,
};
const run: StoringRun = { ...madeUpBase(), experiment: 'storing', plan };

/** One reading in each of six passes of a variant, up to 1 % apart. */
function readings(
  variant: string,
  value: number,
  cell: Partial<StoringReading> = {},
): StoringReading[] {
  return Array.from({ length: 6 }, (_, index) => ({
    sequence: 0,
    pass: index,
    variant,
    measure: 'load-time',
    body: 'text',
    bytes: 1024,
    coding: 'dcb',
    values: [value * (1 + index / 500 + (variant === 'fix' ? index / 5000 : 0))],
    takenAt: '2026-01-01T00:00:00.000Z',
    flags: [],
    ...cell,
  }));
}

test('each variant is compared with the first one, cell by cell', () => {
  const { rows, finding, counts } = summarizeStoring(run, [
    ...readings('stock', 10),
    ...readings('fix', 15),
    ...readings('stock', 4, { bytes: 2048 }),
    ...readings('fix', 4, { bytes: 2048 }),
  ]);
  expect(rows.map(({ bytes, outcome, direction }) => [bytes, outcome, direction])).toEqual([
    [1024, 'DIFFERENT', 'greater'],
    [2048, 'SAME', null],
  ]);
  expect(rows[0]?.relative).toBeCloseTo(0.5);
  expect(finding).toEqual([
    'Time of a first load, fix against stock, 2 comparisons: greater in 1 (by 50.1 %); the same within 2 % in 1.',
  ]);
  expect(counts).toEqual({ readings: 24, flagged: 0, passes: 6 });
});

test('the variants of a measure are one family of tests', () => {
  const both = [...readings('stock', 10), ...readings('fix', 10.01)];
  const [alone] = summarizeStoring(run, both).rows;
  const variants = [...plan.variants, { name: 'other' }] as StoringRun['plan']['variants'];
  const { rows } = summarizeStoring({ ...run, plan: { ...plan, variants } }, [
    ...both,
    ...readings('other', 10),
  ]);
  expect(rows.map(({ variant }) => variant)).toEqual(['fix', 'other']);
  expect(rows[0]?.p).toBeGreaterThan(1.5 * (alone?.p ?? 1));
});

test('the finding begins with the measures that differ', () => {
  const { finding } = summarizeStoring(run, [
    ...readings('stock', 10),
    ...readings('fix', 10),
    ...readings('stock', 9, { measure: 'entries', values: [9] }),
    ...readings('fix', 30, { measure: 'entries', values: [30] }),
  ]);
  expect(finding.map((sentence) => sentence.split(',')[0])).toEqual([
    'Entries that fit into the limited cache',
    'Time of a first load',
  ]);
});

test('flagged readings are counted and excluded', () => {
  const { rows, counts } = summarizeStoring(run, [
    ...readings('stock', 10),
    ...readings('fix', 10),
    ...readings('fix', 1000, { flags: ['origin-unasked'] }),
  ]);
  expect(rows[0]?.value).toBeCloseTo(10.05);
  expect(counts.flagged).toBe(6);
});

test('an unknown value is unknown, not 0', () => {
  const unknown = { measure: 'memory', values: [], flags: ['unknown'] } as const;
  const { rows, finding } = summarizeStoring(run, [
    ...readings('stock', 1, { ...unknown, values: [], flags: ['unknown'] }),
    ...readings('fix', 2 ** 20, { measure: 'memory' }),
  ]);
  expect(finding[0]).toMatch(/, fix against stock, 1 comparison: not measured in 1\.$/);
  expect(rows[0]).toMatchObject({ baseline: null, outcome: 'UNKNOWN' });
});

test('more entries in the same cache are better, and equal counts are the same', () => {
  const { rows } = summarizeStoring(run, [
    ...readings('stock', 9, { measure: 'entries', values: [9] }),
    ...readings('fix', 30, { measure: 'entries', values: [30] }),
    ...readings('stock', 1, { measure: 'requests-of-10', values: [1] }),
    ...readings('fix', 1, { measure: 'requests-of-10', values: [1] }),
  ]);
  expect(rows.map(({ measure, outcome }) => [measure, outcome])).toEqual([
    ['entries', 'DIFFERENT'],
    ['requests-of-10', 'SAME'],
  ]);
});

test('the table has a value in the unit of its measure, its change, and a dash for unknown', () => {
  const document = {
    run,
    readings: [
      ...readings('stock', 10),
      ...readings('fix', 15),
      ...readings('stock', 1, { measure: 'memory', values: [], flags: ['unknown'] }),
      ...readings('fix', 1, { measure: 'memory', values: [2 ** 20] }),
    ],
  };
  const { sections } = storing.page(document, storing.summarize(document));
  const shown = sections.flatMap(({ tables = [] }) =>
    tables.flatMap((table) => table.shown('text')),
  );
  expect(shown.map(({ rows }) => rows.map((row) => row.map(({ text }) => text)))).toEqual([
    [
      ['First load, 1 KiB', '10 ms', '15.1 ms', '+50.1 %', '+49.8 … +50.3 %', 'SLOWER'],
      ['Memory, 1 KiB', '–', '1 MiB', '–', '–', 'UNKNOWN'],
    ],
  ]);
});
