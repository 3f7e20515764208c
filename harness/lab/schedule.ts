import { inWhole, type ShardPlace, shareOf } from '@cachescope/model/run/shard.ts';

/** One browser launch of a run: its point and the cells that it samples, in order. */
export interface Block<Point, Cell> {
  point: Point;
  /** 0 for the first pass over the points. */
  pass: number;
  cells: Cell[];
}

/** A cell with the number of samples that a pass takes of it. */
export interface Wanted<Cell> {
  cell: Cell;
  samples: number;
}

/** Fisher-Yates shuffle (Knuth, TAOCP volume 2, 3.4.2, algorithm P) into a new array. */
export function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] as Item, shuffled[last] as Item];
  }
  return shuffled;
}

/** The number of `total` samples that the given pass takes when they are spread over `passes` as evenly as possible. */
export function shareOfPass(total: number, passes: number, pass: number): number {
  return Math.floor(total / passes) + (pass < total % passes ? 1 : 0);
}

/** The number of `total` samples in the launches of one shard, when each launch takes its share of them. */
export function shareOfLaunches(total: number, launches: number, shard: ShardPlace): number {
  return Array.from({ length: shareOf(launches, shard) }, (_, own) =>
    shareOfPass(total, launches, inWhole(own, shard)),
  ).reduce((sum, share) => sum + share, 0);
}

/**
 * Whether a launch takes two kinds of reads in reverse order. Alternates over the launches of a run, and over the shards
 * of a plan, because the seeds of neighbours differ by an odd number: a shard may have only one launch.
 */
export function isReversed({ seed }: { seed: number }, launch: number): boolean {
  return (launch + seed) % 2 !== 0;
}

/**
 * Interleaves one pass: every point once, in a random order; at a point every round contains each cell that still needs
 * a sample once, in a new random order. A drift of the machine then affects all cells equally, and every cell is
 * sampled by as many browser launches as there are passes. Points without requested samples are left out.
 *
 * `first` opens the pass, in its own random order: the controls, which readers expect first. `opening` comes before all
 * others, in its given order: the cells that the first result needs.
 */
export function interleave<Point, Cell>(plan: {
  pass: number;
  opening?: readonly Point[];
  first: readonly Point[];
  points: readonly Point[];
  wantedAt: (point: Point) => readonly Wanted<Cell>[];
  /** Cells of one group are adjacent within a round, the groups in a random order; absent: all cells are one group. */
  groupOf?: (cell: Cell) => unknown;
  random: () => number;
}): Block<Point, Cell>[] {
  const { pass, random, opening = [], groupOf = () => null } = plan;
  const shuffled = [...shuffle(plan.first, random), ...shuffle(plan.points, random)];
  const points = new Set([...opening, ...shuffled]);
  return [...points].flatMap((point) => {
    const wanted = plan.wantedAt(point);
    return wanted.length === 0 ? [] : [{ point, pass, cells: inRounds(wanted, groupOf, random) }];
  });
}

function inRounds<Cell>(
  wanted: readonly Wanted<Cell>[],
  groupOf: (cell: Cell) => unknown,
  random: () => number,
): Cell[] {
  const rounds = Math.max(...wanted.map(({ samples }) => samples));
  return Array.from({ length: rounds }, (_, round) => {
    const cells = wanted.filter(({ samples }) => samples > round).map(({ cell }) => cell);
    const groups = shuffle([...Map.groupBy(cells, groupOf).values()], random);
    return groups.flatMap((group) => shuffle(group, random));
  }).flat();
}

/** The rest of a block after this many samples of each cell, by its key, were taken, in the same order. */
export function withoutTaken<Point, Cell>(
  block: Block<Point, Cell>,
  keyOf: (cell: Cell) => string,
  takenOf: (key: string) => number,
): Block<Point, Cell> {
  const passed = new Map<string, number>();
  const cells = block.cells.filter((cell) => {
    const key = keyOf(cell);
    const before = passed.get(key) ?? 0;
    passed.set(key, before + 1);
    return before >= takenOf(key);
  });
  return { ...block, cells };
}

/**
 * Splits items into queues in which no name occurs twice, each in the order of the items: the second use of a name goes
 * to the second queue.
 */
export function onceInEach<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[][] {
  const queues: Item[][] = [];
  const uses = new Map<string, number>();
  for (const item of items) {
    const earlier = uses.get(nameOf(item)) ?? 0;
    uses.set(nameOf(item), earlier + 1);
    (queues[earlier] ??= []).push(item);
  }
  return queues;
}
