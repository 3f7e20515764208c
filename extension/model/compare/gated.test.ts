import { expect, test } from 'vitest';
import { madeUpRun } from '../fixtures/made-up-run.ts';
import type { SweepRunDocument } from '../sweep/run.ts';
import { compareSides } from './build.ts';
import { parsedGate } from './gate.ts';
import type { Factors } from './group.ts';
import { gated, type GatedCell, outcomesText } from './gated.ts';
import type { ComparisonDocument } from './run.ts';
import { sideOf } from './side.ts';
import { summarizeComparison } from './summary.ts';

const one = madeUpRun(8);

function compared(
  b: SweepRunDocument,
  metric: string,
  a = one,
  selection: Factors = { delay: '10' },
): ComparisonDocument {
  const sides = [a, b].map((run) => sideOf('made up', { run }, selection, metric));
  const [first, second] = sides;
  if (!first || !second || 'problems' in first || 'problems' in second) throw new Error('sides');
  const built = compareSides(
    first.value,
    second.value,
    { isOneRun: false },
    { ...one.run, commandLine: [] },
  );
  if ('problems' in built) throw new Error(built.problems.join());
  return built.value;
}

/** The same run with every read time multiplied by a factor, and with additional device reads. */
function changed(factor: number, moreReads: number): SweepRunDocument {
  const samples = one.samples.map((sample) => ({
    ...sample,
    readMs: sample.readMs * factor,
    device: sample.device && { ...sample.device, reads: sample.device.reads + moreReads },
  }));
  return { ...one, samples };
}

function gatedCells(text: string, document: ComparisonDocument): GatedCell[] {
  const gate = parsedGate(text);
  if ('problems' in gate) throw new Error(gate.problems.join());
  return gated(gate.value, document, summarizeComparison(document)).cells;
}

function outcomes(text: string, b: SweepRunDocument, metric = 'readMs'): string[] {
  return gatedCells(text, compared(b, metric)).map(({ outcome }) => outcome);
}

const both = (outcome: string): string[] => [outcome, outcome];

test.each<[gate: string, factor: number, outcome: string]>([
  ['slower:5%', 2, 'failed'],
  ['slower', 2, 'failed'],
  ['slower:5ms', 2, 'failed'],
  ['any', 2, 'failed'],
  ['any:5%', 0.5, 'failed'],
  ['faster:5%', 2, 'passed'],
  ['faster:5%', 0.5, 'failed'],
  ['slower:5%', 0.5, 'passed'],
  ['readMs:+5%', 2, 'failed'],
  ['readMs:-5%', 2, 'passed'],
  // Twice the time has an interval around 100 %: neither beyond that limit nor within it.
  ['slower:100%', 2, 'unknown'],
  ['slower:1000%', 2, 'passed'],
  ['slower:10s', 2, 'passed'],
])('%s with %d times the read time: %s', (gate, factor, outcome) => {
  expect(outcomes(gate, changed(factor, 0))).toEqual(both(outcome));
});

/** The same run with read times that scatter by 0.1 % only. */
function steady(readMs: number): SweepRunDocument {
  const samples = one.samples.map((sample, at) =>
    Object.assign({}, sample, { readMs: readMs * (1 + ((at * 7) % 5) / 5000) }),
  );
  return { ...one, samples };
}

test.each<[gate: string, b: number, outcome: string, says: string]>([
  ['slower:1%', 101.5, 'failed', 'beyond the limit of 1 %'],
  ['any:1%', 101.5, 'failed', 'beyond the limit of 1 %'],
  ['slower:0.3ms', 101.5, 'failed', 'beyond the limit of 0.3 ms'],
  ['readMs:+0', 101.5, 'failed', 'beyond the limit of 0 ms'],
  ['slower:1.5%', 101.5, 'unknown', 'not decided for the limit of 1.5 %'],
  ['slower:0%', 100, 'unknown', 'not decided for the limit of 0 %'],
  ['slower:3%', 101.5, 'passed', 'within the limit of 3 %'],
  ['faster:1%', 101.5, 'passed', 'within the limit of 1 %'],
  ['slower', 101.5, 'passed', 'gate passed'],
  ['any', 100, 'passed', 'gate passed'],
  ['slower', 103, 'failed', 'gate failed'],
])('%s at %d ms against 100 ms, margin 2 %%: %s', (gate, b, outcome, says) => {
  const cells = gatedCells(gate, compared(steady(b), 'readMs', steady(100)));
  expect(cells.map((cell) => cell.outcome)).toEqual(both(outcome));
  expect(cells[0]?.sentence).toContain(`; ${says}.`);
});

test.each<[gate: string, more: number, outcome: string]>([
  ['deviceReads:+1', 0, 'passed'],
  ['deviceReads:+1', 1, 'passed'],
  ['deviceReads:+1', 2, 'failed'],
  ['deviceReads:-1', 2, 'passed'],
  ['deviceReads:-1', -2, 'failed'],
  ['deviceReads:+100%', 2, 'passed'],
])('%s with %d more device reads: %s', (gate, more, outcome) => {
  expect(outcomes(gate, changed(1, more), 'deviceReads')).toEqual(both(outcome));
});

test('device counts of the control do not exist, and leave no gate undecided', () => {
  const samples = one.samples.map((sample) =>
    sample.cell.storage === 'none' && sample.device
      ? { ...sample, device: { ...sample.device, shared: true } }
      : sample,
  );
  const run = { ...one, samples };
  const placesOf = (metric: string): string[] => {
    const document = compared(run, metric, run, {});
    expect(document.run.unmatched).toEqual([]);
    return gatedCells(`${metric}:+1`, document).map(({ place, outcome }) => `${place} ${outcome}`);
  };
  const onSlowDisk = placesOf('deviceReads');
  expect(onSlowDisk).toHaveLength(22);
  expect(onSlowDisk.every((text) => text.endsWith('passed'))).toBe(true);
  expect(placesOf('readMs')[0]).toMatch(/^control, /);

  const unknown = run.samples.map((sample) => ({ ...sample, device: null }));
  const document = compared({ ...run, samples: unknown }, 'deviceReads', run);
  expect(gatedCells('deviceReads:+1', document).map(({ outcome }) => outcome)).toEqual(
    both('unknown'),
  );
});

test('readings without an interval leave the gate undecided', () => {
  const two = { ...one, samples: one.samples.slice(0, 0) };
  const few = one.samples.filter(({ cell }) => cell.delayMs === 10).slice(0, 2);
  expect(outcomes('slower:5%', { ...two, samples: few })).toEqual(both('unknown'));
});

test('a group that only one side has is unknown, and the sentence names the limit', () => {
  const samples = changed(2, 0).samples.filter(({ cell }) => cell.arm === 'br');
  const document = compared({ ...one, samples }, 'readMs');
  const gate = parsedGate('slower:5%');
  if ('problems' in gate) throw new Error('gate');
  const found = gated(gate.value, document, summarizeComparison(document));
  expect(found.outcomes).toEqual({ failed: 1, unknown: 1, passed: 0 });
  expect(outcomesText(found)).toBe('failed at 1 of 2, not decided at 1 of 2');
  expect(found.cells.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/^B is slower than A by .*; beyond the limit of 5 %\.$/),
    'Not compared, because one side lacks it.',
  ]);
});

test('a difference that is not significant at a lower level fails no gate', () => {
  const document = compared(changed(2, 0), 'readMs');
  const gate = parsedGate('slower');
  if ('problems' in gate) throw new Error(gate.problems.join());
  const { outcomes: counts } = gated(gate.value, document, summarizeComparison(document, 1e-12));
  expect(counts).toMatchObject({ failed: 0, unknown: 2 });
});
