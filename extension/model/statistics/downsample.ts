/** A point of a line. `y` null: unknown; the line continues at the next known point. */
export interface LinePoint {
  x: number;
  y: number | null;
}

/** A point whose value is known. */
type KnownPoint = LinePoint & { y: number };

/**
 * Reduces the points to about `most` that draw the same line: `x` is divided into intervals of equal width, and each
 * keeps its first, lowest, highest and last point (M4, Jugel et al. 2014), so no extreme is lost and no edge moves.
 * Points with an unknown value are removed. `points` must be sorted by `x`; up to `most` points are kept unchanged.
 */
export function downsample(points: readonly LinePoint[], most: number): KnownPoint[] {
  const known = points.filter((point): point is KnownPoint => point.y !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || known.length <= most) return known;
  const stretches = Math.max(1, Math.floor(most / 4));
  const width = (last.x - first.x) / stretches || 1;
  const stretchOf = ({ x }: LinePoint) =>
    Math.min(stretches - 1, Math.floor((x - first.x) / width));
  return [...Map.groupBy(known, stretchOf).values()].flatMap(extremes);
}

/** First, lowest, highest and last point, each once, in order. */
function extremes(points: readonly KnownPoint[]): KnownPoint[] {
  let [lowest, highest] = [0, 0];
  for (const [index, { y }] of points.entries()) {
    if (y < (points[lowest]?.y ?? y)) lowest = index;
    if (y > (points[highest]?.y ?? y)) highest = index;
  }
  const kept = new Set([0, lowest, highest, points.length - 1]);
  return points.filter((_, index) => kept.has(index));
}
