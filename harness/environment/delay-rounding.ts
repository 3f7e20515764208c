import { gunzipSync } from 'node:zlib';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import type { MachineFiles } from './machine-files.ts';

/** The tick from a kernel's configuration (CONFIG_HZ), ms; null when it is not set there. */
export function tickMsIn(configuration: string | null): number | null {
  const rateHz = /^CONFIG_HZ=(\d+)$/m.exec(configuration ?? '')?.[1];
  return rateHz === undefined ? null : 1000 / Number(rateHz);
}

/** The configuration built into a kernel (CONFIG_IKCONFIG_PROC). */
function ownConfiguration(files: MachineFiles): string | null {
  const bytes = files.bytes('/proc/config.gz');
  try {
    return bytes && gunzipSync(bytes).toString('utf8');
  } catch {
    return null;
  }
}

/** Duration of a tick of this kernel's clock, ms: 1 to 10; null when its configuration is not available. */
export function kernelTickMs(files: MachineFiles): number | null {
  const release = files.text('/proc/sys/kernel/osrelease') ?? '';
  const places = [`/boot/config-${release}`, `/lib/modules/${release}/config`];
  const configurations = [ownConfiguration(files), ...places.map((path) => files.text(path))];
  return configurations.map(tickMsIn).find((tickMs) => tickMs !== null) ?? null;
}

/** Longest possible tick of a Linux kernel's clock, ms (CONFIG_HZ=100). */
const longestTickMs = 10;
/** Tolerance for a read's own time, ms: a delay that exceeds the requested one by less than this is not rounded. */
const noiseMs = 0.5;

/** Three significant digits, without trailing zeros. */
function short(value: number): string {
  return `${Number(value.toPrecision(3))}`;
}

/** Measured minus requested delay, ms. */
function excessMs({ requestedDelayMs, p50Ms }: DelayProof): number {
  return p50Ms - requestedDelayMs;
}

/** The proof with the largest excess for each delay, shortest delay first. */
function longestProofs(proofs: readonly DelayProof[]): DelayProof[] {
  const byDelay = Map.groupBy(proofs, ({ requestedDelayMs }) => requestedDelayMs);
  return [...byDelay.values()]
    .map((same) => same.toSorted((a, b) => excessMs(b) - excessMs(a))[0])
    .filter((proof) => proof !== undefined)
    .toSorted((a, b) => a.requestedDelayMs - b.requestedDelayMs);
}

/**
 * A sentence for a run's warnings if dm-delay rounded the delays up to ticks of the kernel's clock; null if it did not,
 * or if the delays are so long that there must be another cause. `tickMs` null: unknown.
 *
 * dm-delay keeps delays in jiffies (drivers/md/dm-delay.c): rounded up to whole ticks, and one more tick passes if its
 * timer is used. With ticks of 4 ms, delays of 1, 5, 20 and 50 ms became 4, 8, 20 and 56 ms on Linux 6.12, and 1, 5 and
 * 20 ms became 7.6, 11 and 23 ms on Linux 6.1.
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
