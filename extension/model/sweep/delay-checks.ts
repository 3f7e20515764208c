import type { DelayProof } from '../run/base.ts';
import { median } from '../statistics/quantile.ts';
import type { Place } from './reads.ts';
import type { SweepPoint } from './result.ts';
import type { SweepRun } from './run.ts';
import { type Series, variantsOf } from './series.ts';

/** What the delay checks of one disk found. */
type Checked = Pick<SweepPoint, 'measuredDelayMs' | 'delayOff' | 'throughputBytesPerSecond'>;
type Variant = Pick<Series, 'variant'>;

/** The delay checks of a variant's disk at a place, in the order taken. */
export function checksAt(
  { proofs }: Pick<SweepRun, 'proofs'>,
  { storage, requestedDelayMs }: Place,
  { variant }: Variant,
): DelayProof[] {
  const here = proofs.filter(
    (proof) => proof.storage === storage && proof.requestedDelayMs === requestedDelayMs,
  );
  const own = here.filter((proof) => proof.variant === variant);
  // Checks of older runs do not name the variant.
  return own.length > 0 ? own : here.filter((proof) => proof.variant === undefined);
}

/**
 * The delay and throughput of a place from its delay checks. Every variant has a disk of its own: the values are those
 * of the disk whose delay is furthest from the requested one, and the place is off when any of the disks is.
 */
export function checkedDelay(run: SweepRun, place: Place): Checked & Pick<SweepPoint, 'disks'> {
  const disks = variantsOf(run.plan).map((variant) => {
    const side = variant && { variant: variant.name };
    return { ...side, ...checkedDisk(run.plan, checksAt(run, place, side ?? {})) };
  });
  const distance = ({ measuredDelayMs: measured }: Checked): number =>
    measured ? Math.abs(measured.p50 - place.requestedDelayMs) : -1;
  const furthest = disks.reduce((one, other) => (distance(other) > distance(one) ? other : one));
  const { measuredDelayMs, throughputBytesPerSecond } = furthest;
  return {
    measuredDelayMs,
    delayOff: disks.some(({ delayOff }) => delayOff),
    throughputBytesPerSecond,
    ...(disks.length > 1 && {
      disks: disks.map(({ variant, measuredDelayMs: own }) => ({ variant, p50: own?.p50 ?? null })),
    }),
  };
}

function checkedDisk({ crossed }: SweepRun['plan'], checks: readonly DelayProof[]): Checked {
  // In the crossed design a point has many short checks, and other work on the machine may slow down some of them.
  const tolerated = crossed ? checks.length / 2 : 0;
  const p50 = median(checks.map(({ p50Ms }) => p50Ms));
  const p95 = median(checks.map(({ p95Ms }) => p95Ms));
  return {
    measuredDelayMs: p50 === null || p95 === null ? null : { p50, p95 },
    delayOff: checks.filter(({ off }) => off).length > tolerated,
    throughputBytesPerSecond: median(
      checks.map((check) => check.throughputBytesPerSecond).filter((rate) => rate !== null),
    ),
  };
}

/** The measured delay (p50) of the disk that a series is read from, ms; null: not measured. */
export function delayOf({ measuredDelayMs, disks }: SweepPoint, series: Variant): number | null {
  if (!disks) return measuredDelayMs?.p50 ?? null;
  return disks.find(({ variant }) => variant === series.variant)?.p50 ?? null;
}
