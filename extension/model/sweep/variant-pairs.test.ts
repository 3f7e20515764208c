import { expect, test } from 'vitest';
import { madeUpRun } from '../fixtures/made-up-run.ts';
import type { Variant } from '../run/variant.ts';
import type { SweepRunDocument } from './run.ts';
import { summarize } from './summary.ts';
import { withheldWarnings } from '../features/variant-pair.ts';
import { variantPairsOf } from './variant-pairs.ts';

const wal = { diskCache: 'sql' as const, diskCacheParameters: { SqlDiskCacheWalMode: 'true' } };

/** A run whose second variant is a third slower, with these settings of the variants. */
function runOf(variants: readonly Variant[], isWriteAhead?: readonly boolean[]): SweepRunDocument {
  const { run, samples } = madeUpRun(
    20,
    variants.map(({ name }, index) => ({ name, slowerBy: index / 3 })),
  );
  const places = variants.map(({ name }, index) => ({
    storage: 'none' as const,
    variant: name,
    browser: 'b',
    binary: 'b',
    disk: 'd',
    ...(isWriteAhead && {
      evidence: { databases: [{ isWriteAhead: isWriteAhead[index] ?? false }], histograms: {} },
    }),
  }));
  return { run: { ...run, plan: { ...run.plan, variants: [...variants] }, places }, samples };
}

function outcomes({ run, samples }: SweepRunDocument) {
  const { points, finding } = summarize(run, samples);
  const gaps = points
    .flatMap((point) => point.gaps)
    .filter(({ between }) => between === 'variants');
  return {
    outcomes: [...new Set(gaps.map(({ verdict }) => verdict.outcome))],
    sentences: gaps.map(({ sentence }) => sentence),
    finding: finding.join(' '),
    warnings: withheldWarnings(variantPairsOf(run)),
  };
}

const sql = { name: 'sql', diskCache: 'sql' as const };

test('a preset that is shown to be in effect gets its verdict, with what the pair differs in', () => {
  const found = outcomes(runOf([sql, { name: 'wal', ...wal }], [false, true]));
  expect(found.outcomes).toEqual(['DIFFERENT']);
  expect(found.finding).toContain(
    'wal differs from sql in SqlDiskCacheWalMode; sql-wal was in effect (1 of 1 database with a write-ahead log).',
  );
  expect(found.warnings).toEqual([]);
});

test.each([
  ['its evidence is missing', [false, false], '0 of 1 database with a write-ahead log'],
  ['the baseline shows it too', [true, true], 'without it too, 1 of 1 database'],
  ['the run did not look', undefined, 'the run did not look for its evidence'],
])('a preset gets no verdict where %s, however large the difference', (_, seen, words) => {
  const found = outcomes(runOf([sql, { name: 'wal', ...wal }], seen));
  expect(found.outcomes).toEqual(['UNKNOWN']);
  for (const sentence of found.sentences)
    expect(sentence).toContain(
      `inconclusive, because sql-wal is not shown to be in effect (${words}`,
    );
  expect(found.warnings.join()).toContain('wal against sql gets no verdict: sql-wal is not shown');
});

test('variants that differ in two things get no verdict', () => {
  const found = outcomes(runOf([{ name: 'stock' }, { name: 'wal', ...wal }], [false, true]));
  expect(found.outcomes).toEqual(['UNKNOWN']);
  for (const sentence of found.sentences)
    expect(sentence).toContain(
      'inconclusive, because the two differ in 2 things (disk cache, SqlDiskCacheWalMode)',
    );
});
