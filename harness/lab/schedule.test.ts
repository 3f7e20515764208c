import { createRandom } from '@cachescope/model/statistics/random.ts';
import { shardSeed } from '@cachescope/model/run/shard.ts';
import { expect, test } from 'vitest';
import {
  interleave,
  isReversed,
  onceInEach,
  shareOfPass,
  shuffle,
  withoutTaken,
} from './schedule.ts';

const passes = 2;
const cellsAt = (point: number) => [`${point}a`, `${point}b`];

/** Five samples of each of two cells at each of four points, over two passes. */
function schedule(seed: number) {
  const random = createRandom(seed);
  return [0, 1].flatMap((pass) =>
    interleave({
      pass,
      first: [0],
      points: [1, 2, 3],
      wantedAt: (point) =>
        cellsAt(point).map((cell) => ({ cell, samples: shareOfPass(5, passes, pass) })),
      random,
    }),
  );
}

test('every cell gets its samples, spread over the passes', () => {
  const blocks = schedule(1);
  const taken = Map.groupBy(
    blocks.flatMap((block) => block.cells),
    (cell) => cell,
  );
  expect(taken.size).toBe(8);
  for (const samples of taken.values()) expect(samples).toHaveLength(5);
  expect(blocks.map((block) => block.cells.length)).toEqual([6, 6, 6, 6, 4, 4, 4, 4]);
});

test('the first points open each pass and the others follow in a random order', () => {
  const orders = new Set<string>();
  for (let seed = 0; seed < 50; seed++) {
    const blocks = schedule(seed);
    expect(blocks[0]?.point).toBe(0);
    expect(blocks[4]?.point).toBe(0);
    orders.add(
      blocks
        .slice(1, 4)
        .map((block) => block.point)
        .join(),
    );
  }
  expect(orders.size).toBe(6);
});

test('arms are interleaved: every round contains each cell once', () => {
  const [block] = schedule(7);
  const cells = block?.cells ?? [];
  for (let round = 0; round < 3; round++) {
    expect(cells.slice(2 * round, 2 * round + 2).toSorted()).toEqual(['0a', '0b']);
  }
});

test('the same seed gives the same schedule', () => {
  expect(schedule(42)).toEqual(schedule(42));
  expect(schedule(42)).not.toEqual(schedule(43));
});

test('unequal sample counts are scheduled, and a point without requested samples is left out', () => {
  const blocks = interleave({
    pass: 0,
    first: [],
    points: [1, 2],
    wantedAt: (point) =>
      point === 1
        ? [
            { cell: 'a', samples: 3 },
            { cell: 'b', samples: 1 },
          ]
        : [],
    random: createRandom(5),
  });
  expect(blocks).toHaveLength(1);
  expect(blocks[0]?.cells.toSorted()).toEqual(['a', 'a', 'a', 'b']);
  expect(blocks[0]?.cells.slice(0, 2)).toContain('b');
});

test('a shuffle is fair: each of the 6 orders of 3 items is equally frequent', () => {
  const random = createRandom(3);
  const counts = new Map<string, number>();
  const trials = 6000;
  for (let trial = 0; trial < trials; trial++) {
    const order = shuffle([1, 2, 3], random).join();
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  // Chi-squared with 5 degrees of freedom: a fair shuffle exceeds 20.5 for one seed in a thousand.
  const expected = trials / 6;
  const chiSquared = [...counts.values()].reduce(
    (sum, count) => sum + (count - expected) ** 2 / expected,
    0,
  );
  expect(counts.size).toBe(6);
  expect(chiSquared).toBeLessThan(20.5);
});

test('the shares of the passes add up to the total', () => {
  for (const total of [1, 2, 3, 20, 21]) {
    for (const passes of [1, 2, 3]) {
      const shares = Array.from({ length: passes }, (_, pass) => shareOfPass(total, passes, pass));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }
  }
});

test('no name occurs twice in a queue, and no item is lost or reordered', () => {
  const queues = onceInEach(['b1', 'a1', 'a2', 'b2', 'c1', 'a3'], (item) => item.slice(0, 1));
  expect(queues).toEqual([['b1', 'a1', 'c1'], ['a2', 'b2'], ['a3']]);
  expect(onceInEach([], String)).toEqual([]);
});

/** Three rounds of two arms at three delays, in one launch. */
function crossed(seed: number) {
  const cells = ['1a', '1b', '2a', '2b', '3a', '3b'];
  const [block] = interleave({
    pass: 0,
    first: [],
    points: ['disk'],
    wantedAt: () => cells.map((cell) => ({ cell, samples: 3 })),
    groupOf: (cell) => cell[0],
    random: createRandom(seed),
  });
  if (!block) throw new Error('no block');
  return block;
}

test('in a round each delay occurs once with all its arms, in its own random order', () => {
  const delays: string[] = [];
  const arms: string[] = [];
  for (let seed = 0; seed < 40; seed++) {
    const { cells } = crossed(seed);
    for (let at = 0; at < cells.length; at += 6) {
      const round = cells.slice(at, at + 6);
      const pairs = [0, 2, 4].map((place) => round.slice(place, place + 2));
      for (const pair of pairs) expect(new Set(pair.map((cell) => cell[0])).size).toBe(1);
      delays.push(pairs.map(([cell]) => cell?.[0]).join(''));
      arms.push(pairs.map(([cell]) => cell?.[1]).join(''));
      expect(round.toSorted()).toEqual(['1a', '1b', '2a', '2b', '3a', '3b']);
    }
  }
  expect(new Set(delays).size).toBe(6);
  expect(new Set(arms).size).toBe(8);
});

test('samples already taken are removed from a block, and the rest keeps its order', () => {
  const block = crossed(7);
  for (let taken = 0; taken <= block.cells.length; taken++) {
    const counts = Map.groupBy(block.cells.slice(0, taken), (cell) => cell);
    const rest = withoutTaken(
      block,
      (cell) => cell,
      (cell) => counts.get(cell)?.length ?? 0,
    );
    expect(rest.cells).toEqual(block.cells.slice(taken));
  }
});

test.each([0, 7, 2 ** 32 - 1])(
  'orders alternate over launches, and over shards of one launch each, with seed %i',
  (seed) => {
    const launches = [0, 1, 2, 3].map((launch) => isReversed({ seed }, launch));
    const shards = [1, 2, 3, 4].map((number) =>
      isReversed({ seed: shardSeed(seed, { number, count: 4 }) }, 0),
    );
    for (const orders of [launches, shards])
      expect(orders).toEqual(orders.map((_, index) => (seed + index) % 2 === 1));
  },
);
