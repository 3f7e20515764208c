import { expect, test } from 'vitest';
import { madeUpRun } from '../fixtures/made-up-run.ts';
import { recompressFeatures } from '../features/presets.ts';
import { sideOf } from './side.ts';
import { type CompareOptions, compareSides, undeclared } from './build.ts';
import type { ComparisonDocument } from './run.ts';
import { summarizeComparison } from './summary.ts';
import { median } from '../statistics/quantile.ts';
import type { RunDocument } from '../run/run.ts';
import type { SweepRunDocument } from '../sweep/run.ts';

const whole = madeUpRun(12);
const [br, dcb] = [
  { arm: 'br', delay: '10' },
  { arm: 'dcb', delay: '10' },
];

function compared(
  a: RunDocument,
  b: RunDocument,
  selections: [object, object] = [{}, {}],
  options: Partial<CompareOptions> = {},
) {
  const sides = [a, b].map((run, at) =>
    sideOf('AB'[at] ?? '', { run }, { ...selections[at] }, undefined),
  );
  const [first, second] = sides;
  if (!first || !second) throw new Error('two sides');
  if ('problems' in first) return first;
  if ('problems' in second) return second;
  const head = { ...a.run, commandLine: [] };
  return compareSides(first.value, second.value, { isOneRun: a === b, ...options }, head);
}

function made(...words: Parameters<typeof compared>): ComparisonDocument {
  const found = compared(...words);
  if ('problems' in found) throw new Error(found.problems.join());
  return found.value;
}

/** The same run with every reading changed. */
function changed(change: (readMs: number) => number, run = whole): SweepRunDocument {
  const samples = run.samples.map((sample) =>
    Object.assign({}, sample, { readMs: change(sample.readMs) }),
  );
  return { ...run, samples };
}

test('a feature that is not shown to be in effect gets no verdict, also between two runs', () => {
  const evidence = { databases: [], histograms: null };
  const { run, samples } = changed((readMs) => 2 * readMs);
  const [place] = run.places ?? [
    { storage: 'none' as const, browser: 'Chrome/156', binary: 'chromium', disk: 'ordinary' },
  ];
  const places = place ? [{ ...place, evidence }] : [];
  const settings = { enabledFeatures: [...recompressFeatures] };
  const withStored = (share: number) => ({
    run: {
      ...run,
      plan: { ...run.plan, settings },
      places,
      stored: run.stored.map((entry) => ({
        ...entry,
        storedBytes: Math.round(share * entry.decodedBytes),
      })),
    },
    samples,
  });
  const stock = { ...whole, run: { ...whole.run, places } };
  const verdictOf = (share: number) => {
    const document = made(stock, withStored(share), [dcb, dcb], { across: ['settings'] });
    return { plan: document.run.plan, cells: summarizeComparison(document).cells };
  };
  const without = verdictOf(1.01);
  expect(without.plan.inconclusive).toContain('recompress is not shown to be in effect');
  expect(without.cells.map(({ verdict }) => verdict.outcome)).toEqual(['UNKNOWN']);
  const inEffect = verdictOf(0.3);
  expect(inEffect.plan.inconclusive).toBeUndefined();
  expect(inEffect.cells.map(({ verdict }) => verdict.outcome)).toEqual(['DIFFERENT']);
});

test('two arms of one run are paired by launch, so that effects of a launch on both cancel', () => {
  const document = made(whole, whole, [br, dcb]);
  const [cell, ...more] = summarizeComparison(document).cells;
  expect(more).toEqual([]);
  expect(cell?.comparison).toMatchObject({ design: 'paired by launch', family: 1 });
  expect(cell?.verdict).toMatchObject({ outcome: 'DIFFERENT', better: 'against' });
  expect(cell?.sentence).toMatch(/^DCB is slower than Brotli by /);
});

test('DCB recompressed is compared with the DCB of the unchanged browser, which has no variant to name', () => {
  const dcbRecompressed = { ...dcb, variant: 'recompressed' };
  const run = madeUpRun(12, [], true);
  const document = made(run, run, [dcb, dcbRecompressed]);
  expect(document.run.plan).toMatchObject({
    against: { name: 'DCB' },
    of: { name: 'DCB recompressed' },
  });
  const medianOf = (variant?: string) =>
    median(
      run.samples.flatMap(({ cell, kind, flags, readMs }) =>
        cell.arm === 'dcb' &&
        cell.delayMs === 10 &&
        cell.variant === variant &&
        kind === 'timed' &&
        flags.length === 0
          ? [readMs]
          : [],
      ),
    );
  const [pair, ...more] = document.pairs;
  expect(more).toEqual([]);
  expect(median(pair?.against.values ?? [])).toBe(medianOf());
  expect(median(pair?.of.values ?? [])).toBe(medianOf('recompressed'));
  // The whole runs: every delay once.
  expect(
    made(run, run, [{ arm: 'dcb' }, { arm: 'dcb', variant: 'recompressed' }]).pairs.length,
  ).toBeGreaterThan(5);
});

test('groups of a run that looked at its comparisons are judged at the level that the looks left', () => {
  const run = { ...whole.run, stopped: { reason: 'comparison decided' as const, looks: [20, 30] } };
  const looked = { ...whole, run };
  // The second look may spend 1 / (2 * 3) of half of 5 %.
  const level = 0.025 / 6;
  const within = made(looked, looked, [br, dcb]);
  expect(within.run.plan.alpha).toBeCloseTo(level, 12);
  const [cell] = summarizeComparison(within).cells;
  expect(cell?.comparison.confidence).toBeCloseTo(1 - level, 12);
  expect(made(looked, structuredClone(looked), [br, dcb]).run.plan.alpha).toBeUndefined();
});

test('cells are in the order of the plan, whatever the order in which they were read', () => {
  const inOrder = (run: SweepRunDocument) => made(run, run).pairs.map(({ factors }) => factors);
  const reversed = { ...whole, samples: whole.samples.toReversed() };
  expect(inOrder(reversed)).toEqual(inOrder(whole));
  expect(
    inOrder(whole)
      .slice(0, 2)
      .map(({ arm }) => arm),
  ).toEqual(['br', 'dcb']);
});

test('launches of two runs are always distinct, also with equal numbers', () => {
  const [cell] = summarizeComparison(
    made(
      whole,
      changed((ms) => ms * 2),
    ),
  ).cells;
  expect(cell?.comparison).toMatchObject({ design: 'by launch', of: { launches: 5 } });
  expect(cell?.comparison.relative).toBeCloseTo(1, 9);
  expect(cell?.sentence).toMatch(/^B is slower than A by /);
});

test('a run against itself is never DIFFERENT', () => {
  const copy = changed((ms) => ms);
  const { cells, outcomes } = summarizeComparison(made(whole, copy));
  expect(cells).toHaveLength(24);
  expect(outcomes.DIFFERENT).toBe(0);
  for (const { comparison } of cells) expect(comparison.difference).toBe(0);
});

test('different environments are reported, and declared conditions are no longer undeclared differences', () => {
  const { environment } = whole.run;
  const chromium = { ...environment.chromium, version: 'Chrome/157' };
  const other = {
    ...whole,
    run: { ...whole.run, environment: { ...environment, chromium, kernel: '7', node: 'v27' } },
  };
  const open = undeclared(made(whole, other)).map(({ condition }) => condition);
  expect(open).toEqual(['chromium', 'kernel']);
  expect(undeclared(made(whole, other, [{}, {}], { across: ['chromium', 'kernel'] }))).toEqual([]);
  const { differences } = made(whole, other).run;
  expect(differences).toContainEqual({
    condition: 'node',
    against: environment.node,
    of: 'v27',
    matters: false,
  });
});

test('reads from a cold and from a warm page cache are not alike; cold is the default', () => {
  const inState = (state: 'cold' | 'warm'): SweepRunDocument => ({
    ...whole,
    run: { ...whole.run, plan: { ...whole.run.plan, state } },
  });
  expect(undeclared(made(whole, inState('cold')))).toEqual([]);
  expect(undeclared(made(whole, inState('warm')))).toEqual([
    {
      condition: 'page cache',
      against: 'page cache dropped',
      of: 'page cache warm',
      matters: true,
    },
  ]);
});

test('devices with different measured delays are reported for their pair', () => {
  const proofs = whole.run.proofs.map((proof) =>
    Object.assign({}, proof, { p50Ms: proof.p50Ms * 1.5 }),
  );
  const slower = { ...whole, run: { ...whole.run, proofs } };
  const { cells } = summarizeComparison(made(whole, slower));
  const told = cells.filter(({ warnings }) =>
    warnings.join().includes('the device may cause the difference'),
  );
  // 50 % is more than 1 ms from 2.42 ms on: nine of twelve points, two arms each.
  expect(told).toHaveLength(18);
});

test('bad input gives a result or a message, never a wrong value', () => {
  const cellOf = (run: SweepRunDocument) => {
    const { cells } = summarizeComparison(made(whole, run, [br, br]));
    return cells[0];
  };
  const only = (count: number): SweepRunDocument => {
    const kept = whole.samples.filter(
      ({ cell, kind }) => cell.arm === 'br' && cell.delayMs === 10 && kind === 'timed',
    );
    return { ...whole, samples: kept.slice(0, count) };
  };
  expect(cellOf(only(1))?.verdict).toMatchObject({
    outcome: 'UNKNOWN',
    reason: 'too few launches',
  });
  expect(cellOf(only(1))?.comparison.of.median).toBeGreaterThan(0);
  const { finding } = summarizeComparison(made(whole, only(1), [br, br]));
  expect(finding[0]).toContain(': not decided at 1 of 1.');
  expect(cellOf(changed(() => Number.NaN))?.sentence).toContain('not finite numbers');
  expect(cellOf(changed(() => -1))?.sentence).toContain('values below 0');
  expect(cellOf(changed(() => -1))?.comparison.difference).toBeNull();
  const constant = changed(() => 5);
  const [tied] = summarizeComparison(
    made(
      constant,
      changed(() => 5),
      [br, br],
    ),
  ).cells;
  expect(tied?.verdict.outcome).toBe('SAME');
  const flagged = {
    ...whole,
    samples: whole.samples.map((sample) => Object.assign({}, sample, { flags: ['wrong-body'] })),
  };
  expect(cellOf(flagged)?.sentence).toContain('B has no readings');
  expect(cellOf(flagged)?.of.flagged).toBe(12);
  expect(compared(whole, { ...whole, samples: [] })).toMatchObject({
    value: {
      pairs: [],
      run: { unmatched: expect.arrayContaining(['delay=control,arm=br (only A)']) },
    },
  });
});

test('a partial run is reported, and its existing groups are compared', () => {
  const partial: SweepRunDocument = {
    run: { ...whole.run, status: 'partial' },
    samples: whole.samples.filter(({ cell }) => cell.delayMs < 5),
  };
  const document = made(whole, partial);
  expect(document.run.warnings.join()).toContain('B is partial');
  expect(document.pairs).toHaveLength(12);
  expect(document.run.unmatched).toHaveLength(12);
});

test('outliers are reported and kept', () => {
  const heaps = {
    ...whole,
    samples: whole.samples.map((sample, at) =>
      Object.assign({}, sample, { readMs: at % 8 < 4 ? 10 + at / 1e4 : 30 + at / 1e4 }),
    ),
  };
  const document = made(whole, heaps, [br, br]);
  const [cell] = summarizeComparison(document).cells;
  // Only flagged samples are excluded.
  expect(cell?.comparison.of.readings).toBe(12 - (cell?.of.flagged ?? 0));
});

test('the margin is that of both runs unless named, and 2 % where they differ', () => {
  const tight = { ...whole, run: { ...whole.run, plan: { ...whole.run.plan, margin: 0.005 } } };
  const marginOf = (...words: Parameters<typeof made>) => made(...words).run.plan.margin;
  expect(marginOf(tight, tight, [br, dcb])).toBe(0.005);
  expect(marginOf(tight, structuredClone(tight))).toBe(0.005);
  expect(marginOf(tight, whole)).toBe(0.02);
  expect(marginOf(tight, tight, [br, dcb], { margin: 0.1 })).toBe(0.1);
});

test('variants of one run that differ in two things get no verdict', () => {
  const run = madeUpRun(12, [
    { name: 'stock', slowerBy: 0 },
    { name: 'both', slowerBy: 1 },
  ]);
  const variants = [{ name: 'stock' }, { name: 'both', diskCache: 'sql' as const, flags: ['--x'] }];
  const apart = { ...run, run: { ...run.run, plan: { ...run.run.plan, variants } } };
  const sides: [object, object] = [{ variant: 'stock' }, { variant: 'both' }];
  const found = summarizeComparison(made(apart, apart, sides));
  expect(new Set(found.cells.map(({ verdict }) => verdict.outcome))).toEqual(new Set(['UNKNOWN']));
  expect(found.finding[0]).toContain('Inconclusive: the two differ in 2 things (disk cache, --x)');
});

test('runs that differ in two conditions say that the difference may be of either', () => {
  const { chromium } = whole.run.environment;
  const environment = {
    ...whole.run.environment,
    kernel: 'other',
    chromium: { ...chromium, version: 'new' },
  };
  const other = { ...changed((readMs) => 2 * readMs), run: { ...whole.run, environment } };
  const across = ['chromium', 'kernel'];
  const { finding } = summarizeComparison(made(whole, other, [{}, {}], { across }));
  expect(finding.at(-1)).toBe(
    'The runs differ in 2 conditions (chromium, kernel): a difference may be of any of them.',
  );
  const one = {
    ...other,
    run: { ...whole.run, environment: { ...environment, kernel: whole.run.environment.kernel } },
  };
  expect(summarizeComparison(made(whole, one, [{}, {}], { across })).finding.join()).not.toContain(
    'may be of any',
  );
});
