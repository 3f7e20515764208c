import { flagTexts } from '@cachescope/model/run/flags.ts';
import {
  type GapDirection,
  judgedPoints,
  pairNames,
  pairsAmong,
  undecidedPairs,
} from '@cachescope/model/sweep/gap-outcomes.ts';
import type { ProfileResult } from '@cachescope/model/sweep/profile-result.ts';
import { byteSize, digits, milliseconds } from '@cachescope/model/quantity.ts';
import { isSameSeries, seriesName, type SeriesPair } from '@cachescope/model/sweep/series.ts';
import type { SweepPoint, SweepSummary } from '@cachescope/model/sweep/summary.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** The points of the slow device with a measured delay. */
export function slowPoints({ points }: SweepSummary): SweepPoint[] {
  return points.filter((point) => point.storage !== 'none' && point.measuredDelayMs);
}

/** The caption of the chart of read times. */
export function readTimeCaption(summary: SweepSummary): string {
  const points = slowPoints(summary);
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || first === last) return 'Too few points were measured to see a trend.';
  const rises = last.arms.map((end) => {
    const start = first.arms.find((arm) => isSameSeries(arm, end));
    return `from ${digits(start?.medianMs ?? null)} to ${milliseconds(end.medianMs)} (${seriesName(end)})`;
  });
  return `From ${digits(first.measuredDelayMs?.p50 ?? null)} to ${milliseconds(last.measuredDelayMs?.p50 ?? null)} of measured delay the read time changes ${list.format(rises)}.`;
}

/** The caption of the chart of gaps: at how many delays each series is slower, by the verdicts. */
export function gapCaption(summary: SweepSummary): string {
  const points = slowPoints(summary);
  const pairs = shownPairs(summary);
  const undecided = undecidedPairs(points, pairs);
  const open = undecided.length > 0 ? [`Unknown at all delays: ${pairNames(undecided)}.`] : [];
  const sentences = pairs.flatMap((pair) => {
    const judged = judgedPoints(points, pair);
    if (judged.length === 0 || undecided.includes(pair)) return [];
    const count = (wanted: GapDirection): number =>
      judged.filter(({ direction }) => direction === wanted).length;
    const same = count('same') > 0 ? `, the same at ${count('same')}` : '';
    const unknown = count('undecided') > 0 ? `, unknown at ${count('undecided')}` : '';
    return `${seriesName(pair.of)} is slower than ${seriesName(pair.against)} at ${count('slower')} of ${judged.length} delays and faster at ${count('faster')}${same}${unknown}.`;
  });
  return [...sentences, ...open].join(' ');
}

/** The pairs in the chart of gaps: pairs of variants if there are variants, otherwise pairs of arms. */
export function shownPairs({ points }: SweepSummary): SeriesPair[] {
  const pairs = pairsAmong(points);
  const variants = pairs.filter(({ between }) => between === 'variants');
  return variants.length > 0 ? variants : pairs;
}

/** The number of device reads per cached read. */
export function deviceReadsCaption({ fits }: SweepSummary): string {
  const counted = fits.filter((fit) => fit.deviceReads !== null);
  if (counted.length === 0) return 'The device’s counters could not be read.';
  return `Device reads for one cached read: ${list.format(counted.map((fit) => `${digits(fit.deviceReads)} (${seriesName(fit)})`))}.`;
}

/** The number of bytes read from the device per cached read. */
export function deviceBytesCaption({ fits }: SweepSummary): string {
  const counted = fits.filter((fit) => fit.deviceReadBytes !== null);
  if (counted.length === 0) return 'The device’s counters could not be read.';
  return `Bytes read from the device for one cached read: ${list.format(counted.map((fit) => `${byteSize(fit.deviceReadBytes)} (${seriesName(fit)})`))}.`;
}

/** The bytes that each arm takes on the wire and in the cache. */
export function bytesCaption({ fits }: SweepSummary): string {
  const known = fits.filter((fit) => fit.wireBytes !== null);
  if (known.length === 0) return 'The cache was not populated, so no sizes are known.';
  const sizes = known.map((fit) => {
    const stored =
      fit.storedBytes === null ? 'stores an unknown size' : `stores ${byteSize(fit.storedBytes)}`;
    return `${seriesName(fit)} sends ${byteSize(fit.wireBytes)} and ${stored}`;
  });
  return `${list.format(sizes)}.`;
}

/** How many of the timed samples are flagged, and why; empty: none. */
export function flagCaption({ counts }: Pick<SweepSummary, 'counts'>): string[] {
  const flags = flagTexts(counts.flagged);
  if (flags.length === 0) return [];
  const { timed, used } = counts;
  return [
    `${timed - used} of ${timed} timed samples are flagged and excluded from the statistics: ${list.format(flags)}.`,
  ];
}

/** The p95 of each series and of the device in one sentence. */
export function tailCaption({ device, reads }: ProfileResult): string {
  const p95s = reads.map((read) => `${milliseconds(read.tail.p95Ms)} (${seriesName(read)})`);
  return `95 % of cached reads take at most ${list.format(p95s)}, and 95 % of device reads at most ${milliseconds(device.p95Ms)}.`;
}
