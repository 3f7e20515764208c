/** A point of a line. `y` null: unknown, and the line goes on behind it. */
export interface LinePoint {
  x: number;
  y: number | null;
}

/** A point whose value is known. */
type KnownPoint = LinePoint & { y: number };

/**
 * At most about `most` points that draw the same line: `x` is cut into equal stretches, and of each stay the first, the
 * lowest, the highest and the last point (M4, Jugel et al. 2014), so that no extreme is lost and no edge moves. Points with
 * an unknown value are left out. `points` in the order of `x`; fewer than `most` stay as they are.
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

/** First, lowest, highest and last, each once, in their order. */
function extremes(points: readonly KnownPoint[]): KnownPoint[] {
  let [lowest, highest] = [0, 0];
  for (const [index, { y }] of points.entries()) {
    if (y < (points[lowest]?.y ?? y)) lowest = index;
    if (y > (points[highest]?.y ?? y)) highest = index;
  }
  const kept = new Set([0, lowest, highest, points.length - 1]);
  return points.filter((_, index) => kept.has(index));
}
