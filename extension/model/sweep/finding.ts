import {
  delayText,
  gapAt,
  gapDirection,
  outcomesSentence,
  pairsAmong,
  placeText,
} from './gap-outcomes.ts';
import type { BreakEven } from '../explain/break-even.ts';
import { breakEvenFinding, isBreakEvenKnown } from '../explain/break-even-words.ts';
import { byteSize, digits, milliseconds } from '../quantity.ts';
import { fastestSentences } from './fastest.ts';
import { isRecompressed } from './recompressed.ts';
import type { ArmFit, SweepPoint } from './result.ts';
import { type SeriesPair, seriesName } from './series.ts';

/** The measured results behind the sentences. */
interface Measured {
  points: readonly SweepPoint[];
  fits: readonly ArmFit[];
  breakEvens?: readonly BreakEven[];
}

/**
 * The results of a sweep in short sentences: the answer first, then the reasons. Each sentence is computed from the
 * data. Never empty.
 */
export function finding(measured: Measured): string[] {
  const fastest = fastestSentences(measured.points, measured.fits);
  const breakEvens = (measured.breakEvens ?? []).map(breakEvenFinding);
  const gaps = gapSentences(measured.points);
  const sentences = [
    // With two series, the answer is their difference; with more, the fastest one.
    ...(fastest.length > 0 ? [...fastest, ...breakEvens, ...gaps] : [...gaps, ...breakEvens]),
    ...slopeSentences(measured.fits),
    ...processorSentence(measured.points),
    ...ofOneVariant(measured.fits).flatMap(bytesSentence),
    ...scopeSentence(measured.points),
  ];
  return sentences.length > 0
    ? sentences
    : ['There is no usable sample on the slow device, so there is no finding on its delay.'];
}

/**
 * The part of a finding to read first: which series is faster, by how much at the largest delay, and the known
 * break-even delays. Never empty.
 */
export function answerOf({
  finding: all,
  ...measured
}: Measured & { finding: readonly string[] }): string[] {
  const details = new Set(detailSentences(measured));
  const answer = all.filter((sentence) => !details.has(sentence));
  return answer.length > 0 ? answer : [...all];
}

/** The sentences of a finding that explain its answer or add to it. */
function detailSentences({ points, fits, breakEvens = [] }: Measured): string[] {
  const isFastestKnown = fastestSentences(points, fits).length > 0;
  return [
    ...breakEvens.filter((each) => !isBreakEvenKnown(each)).map(breakEvenFinding),
    ...pairsAmong(points).flatMap((pair) => [
      ...(largestDelaySentence(points, pair).length > 0 ? controlSentence(points, pair) : []),
      ...(isFastestKnown ? outcomes(points, pair) : []),
    ]),
    ...slopeSentences(fits),
    ...processorSentence(points),
    ...ofOneVariant(fits).flatMap(bytesSentence),
  ];
}

function slopeSentences(fits: readonly ArmFit[]): string[] {
  const sentences = fits.flatMap((fit) => {
    if (fit.slopeMsPerMs === null || fit.slopeLow === null || fit.slopeHigh === null) return [];
    const slope = `A cached ${seriesName(fit)} read takes ${digits(fit.slopeMsPerMs)} ms longer for each ms of measured read delay`;
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
  const label = seriesName(fit);
  const sizes = `${label} sent ${byteSize(fit.wireBytes)} over the wire and occupies ${byteSize(fit.storedBytes)} in the cache`;
  const form = isRecompressed(fit)
    ? 'recompressed'
    : storedForm(fit.storedBytes, fit.wireBytes, fit.decodedBytes);
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

/** Within 10 %, or within 16 KiB: a cache entry has headers, and a device reads whole blocks and metadata. */
function isAbout(bytes: number, expectedBytes: number): boolean {
  return Math.abs(bytes - expectedBytes) <= Math.max(16 * 1024, expectedBytes / 10);
}

function gapSentences(points: readonly SweepPoint[]): string[] {
  const pairs = pairsAmong(points);
  // A run with variants compares the variants; its arms get only their verdicts.
  const [asked, beside] = pairs.some(({ between }) => between === 'variants')
    ? ['variants', 'arms']
    : ['arms', 'variants'];
  const sentences = pairs
    .filter(({ between }) => between === asked)
    .flatMap((pair) => [
      ...largestDelaySentence(points, pair),
      ...signChangeSentence(points, pair),
      ...controlSentence(points, pair),
      ...outcomes(points, pair),
    ]);
  const others = pairs.filter(({ between }) => between === beside);
  return [...sentences, ...others.flatMap((pair) => outcomes(points, pair))];
}

function outcomes(points: readonly SweepPoint[], pair: SeriesPair): string[] {
  const sentence = outcomesSentence(points, pair);
  return sentence === null ? [] : [sentence];
}

function largestDelaySentence(points: readonly SweepPoint[], pair: SeriesPair): string[] {
  const point = points.findLast(
    (candidate) => candidate.storage !== 'none' && typeof gapAt(candidate, pair)?.ms === 'number',
  );
  return point ? verdictAt(point, pair) : [];
}

function controlSentence(points: readonly SweepPoint[], pair: SeriesPair): string[] {
  const control = points.find((point) => point.storage === 'none');
  return control ? verdictAt(control, pair) : [];
}

function verdictAt(point: SweepPoint, pair: SeriesPair): string[] {
  const gap = gapAt(point, pair);
  if (!gap || gap.ms === null) return [];
  const place = placeText(point);
  return [`${place.slice(0, 1).toUpperCase()}${place.slice(1)}: ${gap.sentence}`];
}

/** Reports the first point from which the direction stays the same to the end, when it was the opposite before. */
function signChangeSentence(points: readonly SweepPoint[], pair: SeriesPair): string[] {
  const known = points.flatMap((point) => {
    const gap = gapAt(point, pair);
    return gap && gap.ms !== null ? [{ point, direction: gapDirection(gap) }] : [];
  });
  const final = known.at(-1)?.direction;
  if (final !== 'slower' && final !== 'faster') return [];
  const before = known.findLastIndex(({ direction }) => direction !== final);
  const opposite = final === 'slower' ? 'faster' : 'slower';
  const first = known[before + 1];
  const earlier = new Set(known.slice(0, before + 1).map(({ direction }) => direction));
  const changed = earlier.has(opposite) && !earlier.has(final);
  if (!first || !changed || first.point.storage === 'none') return [];
  const [of, against] = [seriesName(pair.of), seriesName(pair.against)];
  return [
    `The gap changes sign: with less delay ${of} is ${opposite} than ${against}, and from ${delayText(first.point)} on it is ${final}.`,
  ];
}

/** On ordinary storage, where the device adds least; empty for older runs, which did not record CPU time. */
function processorSentence(points: readonly SweepPoint[]): string[] {
  const control = points.find(({ storage }) => storage === 'none');
  const parts = (control?.arms ?? []).flatMap(({ networkServiceMs: used, ...series }) => {
    if (!used) return [];
    const { medianMs, lowMs, highMs } = used;
    const interval =
      lowMs === null || highMs === null
        ? ''
        : ` (95 % interval ${digits(lowMs)} to ${digits(highMs)})`;
    return [`${milliseconds(medianMs)}${interval} for ${seriesName(series)}`];
  });
  if (parts.length === 0) return [];
  return [
    `Processor time of the network service for one cached read on ordinary storage: ${parts.join(', ')}.`,
  ];
}

/**
 * All variants store the same sizes unless their cache differs. The table has all of them; the sentences cover the
 * first variant and the recompressed series.
 */
function ofOneVariant(fits: readonly ArmFit[]): ArmFit[] {
  return fits.filter((fit) => fit.variant === fits[0]?.variant || isRecompressed(fit));
}

function scopeSentence(points: readonly SweepPoint[]): string[] {
  const narrow = points.flatMap(({ arms }) =>
    arms.filter(({ scope, lowMs }) => lowMs !== null && scope === 'these launches'),
  );
  const most = Math.max(0, ...narrow.map(({ launches }) => launches));
  if (most === 0) return [];
  return [
    `With ${most} browser ${most === 1 ? 'launch' : 'launches'} a cell, intervals and verdicts hold for these launches only: they do not include the variation between launches. Use three launches or more.`,
  ];
}
