import type { DelayProof } from '@cachescope/model/run/base.ts';

/** The longest tick of a Linux kernel's clock, ms (CONFIG_HZ=100). */
const longestTickMs = 10;
/** What a read takes beside its delay, and a delay longer than asked for by less than this is not rounded, ms. */
const noiseMs = 0.5;

/** Three digits, without zeros at the end. */
function short(value: number): string {
  return `${Number(value.toPrecision(3))}`;
}

/** How much longer than asked a delay came out, ms. */
function excessMs({ requestedDelayMs, p50Ms }: DelayProof): number {
  return p50Ms - requestedDelayMs;
}

/** The largest excess of each delay, the shortest delay first. */
function longestProofs(proofs: readonly DelayProof[]): DelayProof[] {
  const byDelay = Map.groupBy(proofs, ({ requestedDelayMs }) => requestedDelayMs);
  return [...byDelay.values()]
    .map((same) => same.toSorted((a, b) => excessMs(b) - excessMs(a))[0])
    .filter((proof) => proof !== undefined)
    .toSorted((a, b) => a.requestedDelayMs - b.requestedDelayMs);
}

/**
 * Whether dm-delay's delays came out rounded up to ticks of the kernel's clock, in a sentence for a run's warnings; null
 * when they did not, or came out so long that something else is wrong. `tickMs` null: unknown.
 *
 * dm-delay keeps delays in jiffies (drivers/md/dm-delay.c): rounded up to whole ticks, and one more goes by where its timer
 * is used. With ticks of 4 ms delays of 1, 5, 20 and 50 ms came out as 4, 8, 20 and 56 ms on Linux 6.12, and 1, 5 and 20 ms
 * as 7.6, 11 and 23 ms on Linux 6.1.
 */
export function delayRounding(proofs: readonly DelayProof[], tickMs: number | null): string | null {
  const delayed = longestProofs(
    proofs.filter(
      ({ storage, requestedDelayMs }) => storage === 'dm-delay' && requestedDelayMs > 0,
    ),
  );
  const rounded = delayed.filter((proof) => excessMs(proof) > noiseMs);
  const mostMs = 2 * (tickMs ?? longestTickMs) + noiseMs;
  if (rounded.length === 0 || rounded.some((proof) => excessMs(proof) > mostMs)) return null;
  const examples = rounded
    .slice(0, 3)
    .map(({ requestedDelayMs, p50Ms }) => `${requestedDelayMs} ms took ${short(p50Ms)} ms`);
  const ticks = tickMs === null ? 'ticks of 1 to 10 ms' : `ticks of ${short(tickMs)} ms`;
  return `dm-delay rounds delays up to ${ticks} of the kernel's clock: ${examples.join(', ')}. Go by the measured delays; nbd-live does not round.`;
}
