import { type Comparison, compare } from '@cachescope/model/statistics/comparison.ts';
import type { Readings } from './traced-browser.ts';

/** The ratio of the medians with its 95 % interval: `1.012 [1.003, 1.021]`. */
export function ratioText({ relative, relativeInterval: interval }: Comparison): string {
  if (relative === null) return 'unknown';
  const [ratio, low, high] = [relative, interval?.low, interval?.high].map((share) =>
    share === undefined ? '?' : (1 + share).toFixed(3),
  );
  return `${ratio} [${low}, ${high}]`;
}

/** Prints for each size of read two medians in ms, and their ratio. */
export function printRatios(
  [name, of]: readonly [string, Readings],
  [otherName, against]: readonly [string, Readings],
): void {
  const ms = (value: number | null) => `${value?.toFixed(3) ?? 'unknown'} ms`;
  for (const [size, readings] of of) {
    const comparison = compare(readings, against.get(size) ?? []);
    console.log(
      `cached read of ${size}, ${name} ${ms(comparison.of.median)}, ${otherName} ${ms(comparison.against.median)}: ratio ${ratioText(comparison)}`,
    );
  }
}
