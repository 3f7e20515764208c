import { createRandom } from '@cachescope/model/statistics/random.ts';
import { expect, test } from 'vitest';
import { nextStep, type SamplingPlan, type SamplingState, type Taken } from './sampling.ts';

const plan: SamplingPlan = {
  cells: ['a', 'b'],
  pairs: [],
  samplesPerCell: 5,
  launches: 2,
};

function taken(cell: string, pass: number, values: readonly (number | null)[]): Taken[] {
  return values.map((value) => ({
    cell,
    pass,
    reading: value === null ? null : { value, launch: pass },
    flags: value === null ? ['read-failed'] : [],
  }));
}

function state(samples: readonly Taken[], elapsedMs = 0): SamplingState {
  return { taken: samples, elapsedMs, looks: [] };
}

test('a fixed plan takes its share pass by pass, then stops', () => {
  expect(nextStep(plan, state([]))).toMatchObject({
    action: 'take',
    pass: 0,
    samples: new Map([
      ['a', 3],
      ['b', 3],
    ]),
  });
  const whole = ['a', 'b'].flatMap((cell) => [
    ...taken(cell, 0, [1, 1, 1]),
    ...taken(cell, 1, [1, 1]),
  ]);
  expect(nextStep(plan, state(whole))).toMatchObject({ action: 'stop', reason: null });
});

test('an interrupted run takes exactly the missing samples', () => {
  const cut = [...taken('a', 0, [1, 1, 1]), ...taken('b', 0, [1, 1, 1]), ...taken('a', 1, [1])];
  expect(nextStep(plan, state(cut))).toMatchObject({
    pass: 1,
    samples: new Map([
      ['a', 1],
      ['b', 2],
    ]),
  });
});

test('a flagged sample counts as taken: a fixed plan does not replace it', () => {
  const flagged = ['a', 'b'].flatMap((cell) => [
    ...taken(cell, 0, [1, null, 1]),
    ...taken(cell, 1, [null, 1]),
  ]);
  expect(nextStep(plan, state(flagged)).action).toBe('stop');
});

test('a suspended sample is taken again in its pass, at most three times for each sample of the pass', () => {
  const suspended: Taken = { cell: 'a', pass: 0, reading: null, flags: ['suspended'] };
  const others = [...taken('b', 0, [1, 1, 1]), ...taken('b', 1, [1, 1]), ...taken('a', 1, [1, 1])];
  const after = (times: number) =>
    nextStep(
      plan,
      state([
        ...others,
        ...taken('a', 0, [1, 1]),
        ...Array.from({ length: times }, () => suspended),
      ]),
    );
  expect(after(1)).toMatchObject({ pass: 0, samples: new Map([['a', 1]]) });
  expect(after(9)).toMatchObject({ pass: 0, samples: new Map([['a', 1]]) });
  expect(after(10).action).toBe('stop');
});

test('a run of 200,000 samples gets its next pass', () => {
  const flagged = Array.from({ length: 200_000 }, () => null);
  const whole = [
    ...taken('a', 7, flagged),
    ...taken('b', 0, [1, 90, 1]),
    ...taken('b', 1, [1, 90]),
  ];
  const missing = taken('a', 0, [null, null, null]).concat(taken('a', 1, [null, null]));
  const asked = { ...plan, stopRule: { precision: 0.01, margin: 0.02 } };
  const step = nextStep(asked, state([...whole, ...missing]));
  expect(step).toMatchObject({ action: 'take', pass: 8 });
});

/** Takes the samples that the sampling requests, of cells whose values vary by `spread` around 100. */
function simulate(of: SamplingPlan, spread: number, msPerSample: number) {
  const random = createRandom(3);
  const samples: Taken[] = [];
  let looks: readonly number[] = [];
  for (;;) {
    const step = nextStep(of, { taken: samples, elapsedMs: samples.length * msPerSample, looks });
    ({ looks } = step);
    if (step.action === 'stop') return { reason: step.reason, samples };
    for (const [cell, count] of step.samples) {
      for (let index = 0; index < count; index++) {
        const value = 100 + spread * (random() - 0.5);
        samples.push({ cell, pass: step.pass, reading: { value, launch: step.pass }, flags: [] });
      }
    }
  }
}

const adaptive: SamplingPlan = {
  ...plan,
  samplesPerCell: 20,
  stopRule: { precision: 0.05, margin: 0.02 },
};

test('under a stop rule, cells with little variation stop early and others take more launches', () => {
  const steady = simulate(adaptive, 1, 1);
  expect(steady.reason).toBe('precision reached');
  const spread = simulate(adaptive, 40, 1);
  expect(spread.reason).toBe('precision reached');
  expect(spread.samples.length).toBeGreaterThan(steady.samples.length);
  const launches = new Set(spread.samples.map(({ pass }) => pass));
  expect(launches.size).toBeGreaterThan(2);
});

test('the time limit stops it, but not before every cell has its minimum', () => {
  const stopRule = { precision: 0.0001, margin: 0.02, maxTimeMs: 10 };
  const limited = simulate({ ...adaptive, stopRule }, 40, 1);
  expect(limited.reason).toBe('max time');
  expect(limited.samples.filter(({ cell }) => cell === 'a')).toHaveLength(20);
});

test('a cell whose samples are all flagged is abandoned', () => {
  const samples = [
    ...taken('a', 0, Array(10).fill(null)),
    ...taken('a', 1, Array(10).fill(null)),
    ...taken('b', 0, Array(10).fill(5)),
    ...taken('b', 1, Array(10).fill(5)),
    ...taken('b', 2, Array(10).fill(5)),
  ];
  expect(nextStep(adaptive, state(samples))).toMatchObject({ action: 'stop' });
});
