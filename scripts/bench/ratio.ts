import { compare } from '@cachescope/model/statistics/comparison.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { Reading } from '@cachescope/model/statistics/readings.ts';

/** Two medians in ms, and their ratio with its 95 % interval. */
export function ratioWords(
  [name, of]: readonly [string, readonly Reading[]],
  [otherName, against]: readonly [string, readonly Reading[]],
): string {
  const compared = compare(of, against, { random: createRandom(1), resamples: 4000 });
  const { relative, relativeInterval } = compared;
  const interval = relativeInterval
    ? `[${[relativeInterval.low, relativeInterval.high].map((end) => (1 + end).toFixed(3)).join(', ')}]`
    : 'unknown';
  const ms = (value: number | null) => `${value?.toFixed(3) ?? 'unknown'} ms`;
  return (
    `${name} ${ms(compared.of.median)}, ${otherName} ${ms(compared.against.median)}: ` +
    `ratio ${relative === null ? 'unknown' : (1 + relative).toFixed(3)} ${interval}`
  );
}
