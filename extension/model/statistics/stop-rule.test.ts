import { createRandom } from '@cachescope/model/statistics/random.ts';
import { expect, test } from 'vitest';
import type { Reading } from './readings.ts';
import { normalVariate } from '../fixtures/normal-variate.ts';
import { decide, type SamplingState, type StopDecision, type StopOptions } from './stop-rule.ts';

const normal = normalVariate(createRandom(12));
const options: StopOptions = { verdict: { better: 'lower' } };

function taken(count: number, level: number, sd = 1): Reading[] {
  return Array.from({ length: count }, () => ({ value: level + sd * normal(), launch: null }));
}

function stateOf(a: Reading[], b: Reading[], rest: Partial<SamplingState> = {}): SamplingState {
  return {
    cells: [
      { cell: 'a', readings: a },
      { cell: 'b', readings: b },
    ],
    pairs: [{ of: 'a', against: 'b', question: 'a against b' }],
    elapsedMs: 0,
    looks: [],
    ...rest,
  };
}

const asked = (decision: StopDecision): (readonly [string, number])[] =>
  decision.action === 'stop' ? [] : decision.cells.map(({ cell, batch }) => [cell, batch]);

test('below the floor every cell gets batches, and there is no look', () => {
  const decision = decide(stateOf(taken(0, 10), taken(15, 90)), options);
  expect(decision).toMatchObject({ action: 'continue', looks: [] });
  expect(asked(decision)).toEqual([
    ['a', 10],
    ['b', 5],
  ]);
});

test('a clear difference stops at the floor, judged at the alpha of the first look', () => {
  const decision = decide(stateOf(taken(20, 90), taken(20, 10)), options);
  expect(decision).toMatchObject({
    action: 'stop',
    reason: 'comparison decided',
    looks: [20],
    judged: [
      {
        comparison: { confidence: 1 - 0.025 / 2 },
        verdict: { outcome: 'DIFFERENT', direction: 'greater' },
      },
    ],
  });
});

test('an open comparison continues, with the next look when the cells have grown by half', () => {
  const first = decide(stateOf(taken(20, 100, 30), taken(20, 100, 30)), options);
  expect(first).toMatchObject({ action: 'continue', looks: [20] });
  expect(asked(first)).toEqual([
    ['a', 10],
    ['b', 10],
  ]);
  const clear = (count: number, looks: number[]) =>
    decide(stateOf(taken(count, 90), taken(count, 10), { looks }), options);
  expect(clear(29, [20])).toMatchObject({ action: 'continue', looks: [20] });
  expect(clear(30, [20])).toMatchObject({
    action: 'stop',
    looks: [20, 30],
    judged: [{ comparison: { confidence: 1 - 0.025 / 6 } }],
  });
});

test('precision: only imprecise cells get more readings', () => {
  const state = stateOf(taken(40, 1000), taken(40, 10, 3), { pairs: [] });
  const decision = decide(state, { ...options, precision: 0.03 });
  expect(decision).toMatchObject({
    action: 'continue',
    cells: [{ cell: 'b', batch: 10 }],
  });
  const precise = decide(stateOf(taken(40, 1000), taken(40, 1000)), {
    ...options,
    verdict: undefined,
    precision: 0.03,
  });
  expect(precise).toMatchObject({ action: 'stop', reason: 'precision reached', judged: [] });
});

test('many readings of one launch do not become precise', () => {
  const one = taken(40, 1000).map((reading) => ({ ...reading, launch: 0 }));
  const decision = decide(stateOf(one, one, { pairs: [] }), { ...options, precision: 0.5 });
  expect(asked(decision).map(([cell]) => cell)).toEqual(['a', 'b']);
});

test('time and number of readings stop sampling, judged at the remaining half of alpha', () => {
  const open = (count: number, elapsedMs: number) =>
    decide(stateOf(taken(count, 100, 30), taken(count, 100, 30), { elapsedMs }), {
      ...options,
      maxTimeMs: 1000,
      mostReadings: 50,
    });
  expect(open(30, 999)).toMatchObject({ action: 'continue' });
  expect(open(30, 1000)).toMatchObject({
    action: 'stop',
    reason: 'max time',
    judged: [{ comparison: { confidence: 0.975 } }],
  });
  expect(open(5, 1000)).toMatchObject({ action: 'stop', reason: 'max time' });
  expect(open(50, 0)).toMatchObject({ action: 'stop', reason: 'max samples' });
  expect(asked(open(45, 0))).toEqual([
    ['a', 5],
    ['b', 5],
  ]);
});

test('an imprecise cell with the maximum of readings does not keep the others going', () => {
  const state = stateOf(taken(50, 10, 5), taken(40, 1000), { pairs: [] });
  const decision = decide(state, { ...options, precision: 0.03, mostReadings: 50 });
  expect(decision).toMatchObject({ action: 'stop', reason: 'max samples' });
});

test('empty cells get readings; a pair with an unknown cell is an error', () => {
  expect(asked(decide(stateOf([], []), options))).toEqual([
    ['a', 10],
    ['b', 10],
  ]);
  const state = stateOf(taken(20, 1), taken(20, 1), {
    pairs: [{ of: 'a', against: 'c', question: 'a against c' }],
  });
  expect(() => decide(state, options)).toThrow(
    'CS_UNKNOWN_CELL: a pair names the cell c, which is not one of a, b',
  );
});

test('interim looks do not make equal cells DIFFERENT', () => {
  const trials = 40;
  let different = 0;
  for (let trial = 0; trial < trials; trial++) {
    const [a, b] = [[] as Reading[], [] as Reading[]];
    let looks: readonly number[] = [];
    for (;;) {
      const decision = decide(stateOf(a, b, { looks }), { ...options, mostReadings: 120 });
      looks = decision.looks;
      if (decision.action === 'stop') {
        if (decision.judged[0]?.verdict.outcome === 'DIFFERENT') different++;
        break;
      }
      a.push(...taken(20, 20));
      b.push(...taken(20, 20));
    }
  }
  // Of 40 trials at 5 %, 6 or more have a probability of about 1 %; looks without alpha spending give about as many.
  expect(different).toBeLessThan(6);
});
