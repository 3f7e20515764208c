import fc from 'fast-check';
import { expect, test } from 'vitest';
import { madeUpRun } from '../fixtures/made-up-run.ts';
import { propertyRuns } from '../fixtures/property-runs.ts';
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
    pairs: variantPairsOf(run),
    gaps,
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

const settings = fc.record({
  diskCache: fc.constantFrom(undefined, 'sql' as const),
  wal: fc.boolean(),
  flag: fc.boolean(),
});

/** What a variant's settings differ in from those of another, counted by hand. */
function apart(one: Variant, other: Variant): number {
  const differs = (of: (variant: Variant) => unknown) => (of(one) === of(other) ? 0 : 1);
  return (
    differs(({ diskCache }) => diskCache ?? 'simple') +
    differs(({ diskCacheParameters }) => diskCacheParameters?.['SqlDiskCacheWalMode']) +
    differs(({ flags }) => flags?.length)
  );
}

test('no sentence of generated variants contradicts a verdict, a warning or what the run saw', () => {
  const generated = fc.array(fc.record({ of: settings, isWriteAhead: fc.boolean() }), {
    minLength: 2,
    maxLength: 4,
  });
  fc.assert(
    fc.property(generated, (each) => {
      const variants = each.map(({ of: { diskCache, wal: isOn, flag } }, index): Variant => {
        const parameters = isOn && { diskCacheParameters: { SqlDiskCacheWalMode: 'true' } };
        return {
          name: `v${index}`,
          ...(diskCache && { diskCache }),
          ...parameters,
          ...(flag && { flags: ['--x'] }),
        };
      });
      const evidence = each.map(({ isWriteAhead }) => isWriteAhead);
      const found = outcomes(runOf(variants, evidence));
      for (const pair of found.pairs) {
        const [of, against] = [pair.of, pair.against].map((name) => Number(name?.slice(1)));
        const [one, other] = [variants[of ?? 0], variants[against ?? 0]];
        if (!one || !other) throw new Error('a pair of variants');
        const isWal = (variant: Variant) => variant.diskCacheParameters !== undefined;
        const isSeen = (with_: number, without: number) =>
          evidence[with_] === true && evidence[without] === false;
        const isShown =
          isWal(one) === isWal(other) ||
          (isWal(one) ? isSeen(of ?? 0, against ?? 0) : isSeen(against ?? 0, of ?? 0));
        const isJudged = apart(one, other) <= 1 && isShown;
        const name = `${pair.of} against ${pair.against} gets no verdict`;
        expect(pair.inconclusive === null, name).toBe(isJudged);
        expect(found.warnings.some((warning) => warning.startsWith(name))).toBe(!isJudged);
        const own = found.gaps.filter((gap) => gap.of.variant === pair.of);
        for (const { verdict, sentence } of own) {
          expect(sentence.includes(`inconclusive, because ${pair.inconclusive}`)).toBe(!isJudged);
          if (!isJudged) expect([verdict.outcome, verdict.better]).toEqual(['UNKNOWN', null]);
        }
      }
    }),
    { numRuns: propertyRuns(5) },
  );
});
