import { codingLabels } from '@cachescope/model/coding.ts';
import type { SweepPoint } from '@cachescope/model/sweep-result.ts';
import type { SweepSummary } from '@cachescope/model/sweep-summary.ts';
import { digits, milliseconds, unknownText } from '@cachescope/model/quantity.ts';
import { bytesText } from './figures.ts';
import { plainTable } from './plain-table.ts';

function delayName(point: SweepPoint): string {
  return point.storage === 'none' ? 'control' : `${point.requestedDelayMs} ms`;
}

function measuredName(point: SweepPoint): string {
  const measured = milliseconds(point.measuredDelayMs?.p50 ?? null);
  return point.delayOff ? `${measured} !` : measured;
}

/** Three significant digits: more would suggest a precision that the interval denies. */
function withInterval(ms: number | null, lowMs: number | null, highMs: number | null): string {
  if (lowMs === null || highMs === null) return digits(ms);
  return `${digits(ms)} [${digits(lowMs)}, ${digits(highMs)}]`;
}

/** Two arms and their gap fit 80 columns with intervals; more arms fit without. */
export function withIntervals(summary: SweepSummary): boolean {
  return summary.fits.length <= 2;
}

/** Read time by point and arm, ms. */
export function readTimeTable(summary: SweepSummary): string {
  return withIntervals(summary) ? pairTable(summary) : mediansTable(summary);
}

function pairTable(summary: SweepSummary): string {
  const gaps = summary.points[0]?.gaps ?? [];
  const labels = summary.fits.map(({ arm }) => codingLabels[arm]);
  const table = plainTable(['IO delay', 'measured', ...labels, ...gaps.map(() => 'gap')], 1);
  for (const point of summary.points) {
    table.push([
      delayName(point),
      measuredName(point),
      ...point.arms.map((arm) => withInterval(arm.medianMs, arm.lowMs, arm.highMs)),
      ...point.gaps.map((gap) => withInterval(gap.ms, gap.lowMs, gap.highMs)),
    ]);
  }
  return table.toString();
}

function mediansTable(summary: SweepSummary): string {
  const arms = summary.fits.map(({ arm }) => arm);
  const table = plainTable(['IO delay', 'measured', ...arms], 1);
  for (const point of summary.points) {
    const medians = point.arms.map((arm) => digits(arm.medianMs));
    table.push([delayName(point), measuredName(point), ...medians]);
  }
  return table.toString();
}

/** What each arm is on the wire and on disk, what the device read for it, and how its time follows the delay. */
export function armTable(summary: SweepSummary): string {
  const table = plainTable(
    ['arm', 'wire B', 'stored B', 'decoded B', 'device reads', 'KiB read', 'ms per ms', 'R²'],
    1,
  );
  for (const fit of summary.fits) {
    table.push([
      codingLabels[fit.arm],
      fit.wireBytes === null ? unknownText : bytesText(fit.wireBytes),
      fit.storedBytes === null ? unknownText : bytesText(fit.storedBytes),
      fit.decodedBytes === null ? unknownText : bytesText(fit.decodedBytes),
      digits(fit.deviceReads),
      digits(fit.deviceReadBytes === null ? null : fit.deviceReadBytes / 1024),
      digits(fit.slopeMsPerMs),
      fit.r2 === null ? unknownText : fit.r2.toFixed(4),
    ]);
  }
  return table.toString();
}
