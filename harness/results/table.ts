import Table from 'cli-table3';
import { codingLabels } from '@cachescope/model/coding.ts';
import type { SweepPoint } from '@cachescope/model/sweep-result.ts';
import type { SweepSummary } from '@cachescope/model/sweep-summary.ts';
import { bytesText, figureText, intervalText } from './figures.ts';

/** Plain columns: no frame, two spaces between them, so that two arms fit 80 columns and `cut` and `awk` can read it. */
function plainTable(head: string[], alignLeft: number): Table.Table {
  const none = Object.fromEntries(
    ['top', 'bottom', 'left', 'right'].flatMap((side) => [
      [side, ''],
      [`${side}-mid`, ''],
      [`${side}-left`, ''],
      [`${side}-right`, ''],
    ]),
  );
  return new Table({
    head,
    chars: { ...none, mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '', middle: '  ' },
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    colAligns: head.map((_, index) => (index < alignLeft ? 'left' : 'right')),
  });
}

function delayName(point: SweepPoint): string {
  return point.storage === 'none' ? 'control' : `${point.requestedDelayMs} ms`;
}

function measuredName(point: SweepPoint): string {
  const measured =
    point.measuredDelayMs === null ? 'unknown' : `${point.measuredDelayMs.p50.toFixed(2)} ms`;
  return point.delayOff ? `${measured} !` : measured;
}

/** Read time by point and arm: the median of its samples with its 95 % interval, in ms. Two arms fit 80 columns. */
export function readTimeTable(summary: SweepSummary): string {
  const arms = summary.points[0]?.arms.map(({ arm }) => arm) ?? [];
  const gaps = summary.points[0]?.gaps ?? [];
  const head = [
    'IO delay',
    'measured',
    ...arms.map((arm) => `${codingLabels[arm]} ms`),
    ...gaps.map((gap) => (gaps.length === 1 ? 'gap ms' : `${codingLabels[gap.arm]} gap ms`)),
  ];
  const table = plainTable(head, 1);
  for (const point of summary.points) {
    table.push([
      delayName(point),
      measuredName(point),
      ...point.arms.map((arm) => intervalText(arm.medianMs, arm.lowMs, arm.highMs)),
      ...point.gaps.map((gap) => intervalText(gap.ms, gap.lowMs, gap.highMs)),
    ]);
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
    const kib = fit.deviceReadBytes === null ? null : fit.deviceReadBytes / 1024;
    table.push([
      codingLabels[fit.arm],
      bytesText(fit.wireBytes),
      bytesText(fit.storedBytes),
      bytesText(fit.decodedBytes),
      figureText(fit.deviceReads, 0),
      figureText(kib, 0),
      figureText(fit.slopeMsPerMs),
      figureText(fit.r2, 4),
    ]);
  }
  return table.toString();
}
