/** One browser launch of a run: the point it stands at and the cells it samples, in order. */
export interface Block<Point, Cell> {
  point: Point;
  /** 0 for the first pass over the points. */
  pass: number;
  cells: Cell[];
}

/** Fisher and Yates' shuffle (Knuth, TAOCP volume 2, 3.4.2, algorithm P) into a new array. */
export function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] as Item, shuffled[last] as Item];
  }
  return shuffled;
}

/** How many of `total` samples the given pass takes, when they are spread over `passes` as evenly as can be. */
export function shareOfPass(total: number, passes: number, pass: number): number {
  return Math.floor(total / passes) + (pass < total % passes ? 1 : 0);
}

/**
 * Interleaves: each pass visits every point once, in a new random order, and within a visit every round holds each cell
 * of the point once, in a new random order. A drift of the machine then falls on all cells alike, and every cell is
 * sampled by as many browser launches as there are passes.
 *
 * `first`, when given, opens every pass: the control, as a reader expects.
 */
export function interleave<Point, Cell>(plan: {
  points: readonly Point[];
  first?: Point;
  cellsOf: (point: Point) => readonly Cell[];
  samplesPerCell: number;
  passes: number;
  random: () => number;
}): Block<Point, Cell>[] {
  const blocks: Block<Point, Cell>[] = [];
  for (let pass = 0; pass < plan.passes; pass++) {
    const rounds = shareOfPass(plan.samplesPerCell, plan.passes, pass);
    const shuffled = shuffle(plan.points, plan.random);
    for (const point of plan.first === undefined ? shuffled : [plan.first, ...shuffled]) {
      const cells = plan.cellsOf(point);
      const order = Array.from({ length: rounds }, () => shuffle(cells, plan.random)).flat();
      blocks.push({ point, pass, cells: order });
    }
  }
  return blocks;
}
