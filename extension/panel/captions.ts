import { codingLabels } from '@cachescope/model/coding.ts';
import { gapDirection } from '@cachescope/model/finding.ts';
import { byteSize, digits, milliseconds } from '@cachescope/model/quantity.ts';
import type { SweepPoint, SweepSummary } from '@cachescope/model/sweep-summary.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

function slowPoints(summary: SweepSummary): SweepPoint[] {
  return summary.points.filter((point) => point.storage !== 'none' && point.measuredDelayMs);
}

/** What the chart of read times shows. */
export function readTimeCaption(summary: SweepSummary): string {
  const points = slowPoints(summary);
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || first === last) return 'Too few points were measured to see a trend.';
  const rises = last.arms.map((end) => {
    const start = first.arms.find(({ arm }) => arm === end.arm);
    return `from ${digits(start?.medianMs ?? null)} to ${milliseconds(end.medianMs)} (${codingLabels[end.arm]})`;
  });
  return `From ${digits(first.measuredDelayMs?.p50 ?? null)} to ${milliseconds(last.measuredDelayMs?.p50 ?? null)} of measured delay the median read goes ${list.format(rises)}.`;
}

/** What the chart of gaps shows: at how many delays which arm is slower. */
export function gapCaption(summary: SweepSummary): string {
  const points = slowPoints(summary);
  const sentences = (points[0]?.gaps ?? []).map(({ arm, baseline }) => {
    const directions = points.flatMap((point) =>
      point.gaps.filter((gap) => gap.arm === arm && gap.ms !== null).map(gapDirection),
    );
    const count = (wanted: string): number =>
      directions.filter((direction) => direction === wanted).length;
    const undecided = count('undecided');
    return `${codingLabels[arm]} is slower than ${codingLabels[baseline]} at ${count('slower')} of ${directions.length} delays and faster at ${count('faster')}${undecided > 0 ? `; ${undecided} undecided` : ''}.`;
  });
  return sentences.join(' ') || 'One arm alone has no gap.';
}

/** How many reads the device counted for one cached read. */
export function deviceReadsCaption({ fits }: SweepSummary): string {
  const counted = fits.filter((fit) => fit.deviceReads !== null);
  if (counted.length === 0) return 'The device’s counters could not be read.';
  return `One cached read makes the device read ${list.format(counted.map((fit) => `${digits(fit.deviceReads)} ${fit.deviceReads === 1 ? 'time' : 'times'} (${codingLabels[fit.arm]})`))}.`;
}

/** How many bytes the device read for one cached read. */
export function deviceBytesCaption({ fits }: SweepSummary): string {
  const counted = fits.filter((fit) => fit.deviceReadBytes !== null);
  if (counted.length === 0) return 'The device’s counters could not be read.';
  return `One cached read takes ${list.format(counted.map((fit) => `${byteSize(fit.deviceReadBytes)} (${codingLabels[fit.arm]})`))} from the device.`;
}

/** What an arm saves on the wire and what it costs in the cache. */
export function bytesCaption({ fits }: SweepSummary): string {
  const known = fits.filter((fit) => fit.wireBytes !== null);
  if (known.length === 0) return 'The cache was not filled, so no sizes are known.';
  const sizes = known.map((fit) => {
    const stored =
      fit.storedBytes === null ? 'stores an unknown size' : `stores ${byteSize(fit.storedBytes)}`;
    return `${codingLabels[fit.arm]} sends ${byteSize(fit.wireBytes)} and ${stored}`;
  });
  return `${list.format(sizes)}.`;
}
