import { codingLabels } from './coding.ts';
import { byteSize, digits, milliseconds } from './quantity.ts';
import type { ArmFit, Gap, SweepPoint } from './sweep-result.ts';

/** Which of the two arms of a gap reads slower, as far as its interval tells. */
export type GapDirection = 'slower' | 'faster' | 'undecided';

/** What a sweep measured: all that the sentences rest on. */
interface Measured {
  points: readonly SweepPoint[];
  fits: readonly ArmFit[];
}

/** What follows from a sweep, in short sentences, the answer first, then why. Each is computed from the data. Never empty. */
export function finding(measured: Measured): string[] {
  const sentences = [
    ...gapSentences(measured.points),
    ...slopeSentences(measured.fits),
    ...measured.fits.flatMap(bytesSentence),
  ];
  return sentences.length > 0
    ? sentences
    : [
        'No usable sample was taken behind the slow device, so nothing can be said about its delay.',
      ];
}

/** The arm is slower or faster than the baseline only when the whole interval lies on one side of 0. */
export function gapDirection(gap: Pick<Gap, 'lowMs' | 'highMs'>): GapDirection {
  if (gap.lowMs !== null && gap.lowMs > 0) return 'slower';
  if (gap.highMs !== null && gap.highMs < 0) return 'faster';
  return 'undecided';
}

function slopeSentences(fits: readonly ArmFit[]): string[] {
  const sentences = fits.flatMap((fit) => {
    if (fit.slopeMsPerMs === null || fit.slopeLow === null || fit.slopeHigh === null) return [];
    const slope = `A cached ${codingLabels[fit.arm]} read takes ${digits(fit.slopeMsPerMs)} ms longer for each ms of measured read delay`;
    const certainty = `(95 % interval ${digits(fit.slopeLow)} to ${digits(fit.slopeHigh)}${fit.r2 === null ? '' : `, R² ${fit.r2.toFixed(4)}`})`;
    const counted =
      fit.deviceReads === null
        ? 'the device reads could not be counted'
        : `the device counted ${digits(fit.deviceReads)} ${fit.deviceReads === 1 ? 'read' : 'reads'}`;
    return [`${slope} ${certainty}; ${counted}.`];
  });
  const points = Math.max(0, ...fits.map((fit) => fit.points));
  if (sentences.length === 0 && points > 0) {
    return [`A slope needs 3 delays of the slow device; this run has ${points}.`];
  }
  if (!fits.some(overlaps)) return sentences;
  return [
    ...sentences,
    'Device reads that overlap wait for the delay together, so a slope can be lower than the number of reads.',
  ];
}

function overlaps(fit: ArmFit): boolean {
  return (
    fit.slopeHigh !== null && fit.deviceReads !== null && fit.slopeHigh < fit.deviceReads - 0.5
  );
}

function bytesSentence(fit: ArmFit): string[] {
  if (fit.storedBytes === null || fit.wireBytes === null || fit.decodedBytes === null) return [];
  const label = codingLabels[fit.arm];
  const sizes = `${label} sent ${byteSize(fit.wireBytes)} over the wire and occupies ${byteSize(fit.storedBytes)} in the cache`;
  const form = storedForm(fit.storedBytes, fit.wireBytes, fit.decodedBytes);
  if (form === 'unclear') return [`${sizes}.`];
  const read =
    fit.deviceReadBytes !== null && isAbout(fit.deviceReadBytes, fit.storedBytes)
      ? `; a cached read takes ${byteSize(fit.deviceReadBytes)} from the device, the ${form} body`
      : '';
  return [`${sizes}: it is stored ${form}${read}.`];
}

function storedForm(
  storedBytes: number,
  wireBytes: number,
  decodedBytes: number,
): 'encoded' | 'decoded' | 'unclear' {
  const asSent = isAbout(storedBytes, wireBytes);
  const asDecoded = isAbout(storedBytes, decodedBytes);
  if (asSent === asDecoded) return 'unclear';
  return asSent ? 'encoded' : 'decoded';
}

/** Within a tenth, or within 16 KiB: a cache entry has headers and a device reads whole blocks and metadata. */
function isAbout(bytes: number, expectedBytes: number): boolean {
  return Math.abs(bytes - expectedBytes) <= Math.max(16 * 1024, expectedBytes / 10);
}

function gapSentences(points: readonly SweepPoint[]): string[] {
  const slow = points.filter((point) => point.storage !== 'none');
  const arms = slow.at(-1)?.gaps.map((gap) => gap.arm) ?? [];
  return arms.flatMap((arm) =>
    largestDelaySentence(slow, arm).concat(
      signChangeSentence(points, arm),
      controlSentence(points, arm),
    ),
  );
}

function gapAt(point: SweepPoint, arm: Gap['arm']): Gap | undefined {
  return point.gaps.find((gap) => gap.arm === arm);
}

function largestDelaySentence(slow: readonly SweepPoint[], arm: Gap['arm']): string[] {
  const point = slow.findLast((candidate) => typeof gapAt(candidate, arm)?.ms === 'number');
  const gap = point && gapAt(point, arm);
  if (!point || !gap || gap.ms === null) return [];
  return [`At ${delayText(point)} ${comparison(gap, gap.ms)}.`];
}

function controlSentence(points: readonly SweepPoint[], arm: Gap['arm']): string[] {
  const control = points.find((point) => point.storage === 'none');
  const gap = control && gapAt(control, arm);
  if (!gap || gap.ms === null) return [];
  return [`On ordinary storage (the control) ${comparison(gap, gap.ms)}.`];
}

function comparison(gap: Gap, ms: number): string {
  const [label, baseline] = [codingLabels[gap.arm], codingLabels[gap.baseline]];
  const size = milliseconds(Math.abs(ms));
  if (gap.lowMs === null || gap.highMs === null) {
    const side = ms >= 0 ? 'above' : 'below';
    return `the median of ${label} is ${size} ${side} that of ${baseline}, from too few samples for an interval`;
  }
  const direction = gapDirection(gap);
  if (direction === 'undecided') {
    return `no difference between ${label} and ${baseline} is shown (gap ${milliseconds(ms)}, ${intervalText(gap.lowMs, gap.highMs)})`;
  }
  const [low, high] = direction === 'slower' ? [gap.lowMs, gap.highMs] : [-gap.highMs, -gap.lowMs];
  return `${label} is ${direction} than ${baseline} by ${size} (${intervalText(low, high)})`;
}

function intervalText(low: number, high: number): string {
  return `95 % interval ${digits(low)} to ${digits(high)} ms`;
}

function delayText(point: SweepPoint): string {
  const measured = point.measuredDelayMs;
  const told = `${milliseconds(point.requestedDelayMs)} of read delay`;
  return measured ? `${told} (measured ${milliseconds(measured.p50)})` : told;
}

/** Says from which point on the arm's direction holds to the end, when it was the opposite before. */
function signChangeSentence(points: readonly SweepPoint[], arm: Gap['arm']): string[] {
  const known = points.flatMap((point) => {
    const gap = gapAt(point, arm);
    return gap && gap.ms !== null ? [{ point, gap, direction: gapDirection(gap) }] : [];
  });
  const final = known.at(-1);
  if (!final || final.direction === 'undecided') return [];
  const before = known.findLastIndex(({ direction }) => direction !== final.direction);
  const opposite = final.direction === 'slower' ? 'faster' : 'slower';
  const first = known[before + 1];
  const earlier = new Set(known.slice(0, before + 1).map(({ direction }) => direction));
  const changed = earlier.has(opposite) && !earlier.has(final.direction);
  if (!first || !changed || first.point.storage === 'none') return [];
  const [label, baseline] = [codingLabels[arm], codingLabels[final.gap.baseline]];
  return [
    `The gap changes sign: with less delay ${label} is ${opposite} than ${baseline}, and from ${delayText(first.point)} on it is ${final.direction}.`,
  ];
}
