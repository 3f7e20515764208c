import { expect, test } from 'vitest';
import { crossoverOf, crossovers, nextSizes, type SizeComparison } from './crossover.ts';
import { madeUpSlice } from '../fixtures/micro.ts';
import { createRandom } from '../statistics/random.ts';
import { normalVariate } from '../fixtures/normal-variate.ts';

const condition = { storage: 'none', delayMs: 0, state: 'running' } as const;
const letters = { s: 'slower', n: 'not slower', o: 'open' } as const;

/** `nnos` is four sizes, 1, 4, 16 and 64 KiB, with these outcomes. */
function sizes(outcomes: string): SizeComparison[] {
  return outcomes.split('').map((letter, place) => ({
    bytes: 1024 * 4 ** place,
    diskMs: 1,
    memoryMs: 1,
    relative: letter === 's' ? 0.5 : 0,
    relativeInterval: null,
    confidence: 0.95,
    outcome: letters[letter as keyof typeof letters],
  }));
}

const kib = (values: readonly (number | null)[]) => values.map((value) => value && value / 1024);

test.each([
  ['nnss', 'found', [4, 16]],
  // An open size is undecided: the crossover may be on either side of it.
  ['noss', 'found', [1, 16]],
  ['osss', 'found', [null, 4]],
  ['ssss', 'at all sizes', [null, 1]],
  ['nnnn', 'at no size', [64, null]],
  ['nnno', 'at no size', [16, null]],
  ['ssno', 'at smaller sizes', [16, null]],
  ['sso', 'at smaller sizes', [null, null]],
  // Slower once, and not slower at a larger size: the crossover is the size from which on disk is always slower.
  ['snss', 'found', [4, 16]],
] as const)('outcomes %s: %s', (outcomes, answer, bounds) => {
  const found = crossoverOf(condition, sizes(outcomes), 0.1);
  expect(found.answer).toBe(answer);
  expect(kib([found.lowBytes, found.highBytes])).toEqual(bounds);
});

test('the search repeats open sizes, then bisects, and stops when the bounds are close', () => {
  expect(kib(nextSizes(sizes('noos'), 2))).toEqual([4, 16]);
  expect(kib(nextSizes(sizes('nnss'), 2))).toEqual([8]);
  expect(nextSizes(sizes('nnss'), 4)).toEqual([]);
  expect(nextSizes(sizes('ssss'), 2)).toEqual([]);
  expect(nextSizes(sizes('nnnn'), 2)).toEqual([]);
  expect(kib(nextSizes(sizes('nnno'), 2))).toEqual([64]);
  expect(nextSizes([], 2)).toEqual([]);
});

test('a search over synthetic times ends at their true crossover', () => {
  const random = createRandom(7);
  const trueBytes = 50_000;
  // Disk has an extra cost that grows with size and reaches a tenth of memory's 2 ms at 50,000 bytes.
  const taken = (bytes: number, launch: number) =>
    (['disk', 'memory'] as const).map((cache) => {
      const extraMs = cache === 'disk' ? (0.2 * bytes) / trueBytes : 0;
      const batchUs = Array.from({ length: 40 }, () =>
        Math.round(1000 * (2 + extraMs) + 20 * random()),
      );
      const counts = batchUs.map(() => 1);
      const cell = { part: 'crossover', cache, bytes } as const;
      return madeUpSlice(cell, { launch, batchUs, counts });
    });
  const slices = [];
  let wanted = [1, 4, 16, 64, 256, 1024].map((size) => size * 1024);
  for (let round = 0; wanted.length > 0 && round < 6; round++) {
    for (const bytes of wanted)
      for (let launch = 0; launch < 5; launch++) slices.push(...taken(bytes, round * 5 + launch));
    wanted = nextSizes(crossovers(slices, { margin: 0.1, launchesPerRound: 5 })[0]?.sizes ?? [], 2);
  }
  const [found] = crossovers(slices, { margin: 0.1, launchesPerRound: 5 });
  expect(found).toMatchObject({ answer: 'found', storage: 'none' });
  expect(found?.lowBytes).toBeLessThanOrEqual(trueBytes);
  expect(found?.highBytes).toBeGreaterThanOrEqual(trueBytes);
  expect((found?.highBytes ?? 0) / (found?.lowBytes ?? 1)).toBeLessThanOrEqual(4);
  expect(Math.abs(Math.log2((found?.bytes ?? 1) / trueBytes))).toBeLessThan(0.3);
});

test('a size exactly at the margin is called slower in at most 5 % of searches, with any number of rounds', () => {
  const random = createRandom(11);
  const normal = normalVariate(random);
  const searches = 200;
  let wrong = 0;
  for (let search = 0; search < searches; search++) {
    const slices = [];
    for (let launch = 0; launch < 25; launch++) {
      const shift = 1 + 0.03 * normal();
      for (const cache of ['disk', 'memory'] as const) {
        const ms = (cache === 'disk' ? 2.2 * shift : 2) * 1000;
        const batchUs = Array.from({ length: 8 }, () => Math.round(ms * (1 + 0.02 * normal())));
        const counts = batchUs.map(() => 1);
        slices.push(
          madeUpSlice({ part: 'crossover', cache, bytes: 1024 }, { launch, batchUs, counts }),
        );
      }
      const [found] =
        launch % 5 === 4 ? crossovers(slices, { margin: 0.1, launchesPerRound: 5 }) : [];
      if (found?.sizes[0]?.outcome === 'open' || !found) continue;
      if (found.sizes[0]?.outcome === 'slower') wrong++;
      break;
    }
  }
  // At a true rate of 5 %, more than 19 of 200 occur in 1 of 200 runs; without alpha spending the rate is 7.5 to 11 %.
  expect(wrong).toBeLessThanOrEqual(19);
});

test('a size that is measured again has an interval of a higher confidence', () => {
  const sizesAfter = (launches: number) => {
    const slices = Array.from({ length: launches }, (_, launch) =>
      (['disk', 'memory'] as const).map((cache) =>
        madeUpSlice({ part: 'crossover', cache, bytes: 1024 }, { launch }),
      ),
    ).flat();
    return crossovers(slices, { margin: 0.1, launchesPerRound: 5 })[0]?.sizes ?? [];
  };
  expect(sizesAfter(5)[0]?.confidence).toBeCloseTo(0.95, 9);
  expect(sizesAfter(10)[0]?.confidence).toBeCloseTo(1 - 0.1 / 6, 9);
});
