import {
  delayText,
  judgedPoints,
  outcomesSentence,
  pairNames,
  pairsAmong,
  placesWhere,
  undecidedPairs,
  verdictAt,
} from './gap-outcomes.ts';
import type { BreakEven } from '../explain/break-even.ts';
import { breakEvenFinding, isBreakEvenShown } from '../explain/break-even-words.ts';
import { least } from '../extremes.ts';
import { byteSize, digits, milliseconds } from '../quantity.ts';
import { fewestLaunches } from '../statistics/launch-level.ts';
import { fastestSentences } from './fastest.ts';
import { mostStoredShare } from '../features/presets.ts';
import { isRecompressed } from './recompressed.ts';
import type { ArmFit, SweepPoint } from './result.ts';
import { type SeriesPair, seriesName } from './series.ts';
import { singleSeriesSentences } from './single-series.ts';

/** The measured results behind the sentences. */
interface Measured {
  points: readonly SweepPoint[];
  fits: readonly ArmFit[];
  breakEvens?: readonly BreakEven[];
}

/** A sentence of a finding. A detail explains the answer or adds to it. */
interface Sentence {
  text: string;
  isDetail: boolean;
}

const answers = (texts: readonly string[]): Sentence[] =>
  texts.map((text) => ({ text, isDetail: false }));
const details = (texts: readonly string[]): Sentence[] =>
  texts.map((text) => ({ text, isDetail: true }));

/**
 * The results of a sweep in short sentences: the answer first, then the reasons. Each sentence is computed from the
 * data. Never empty.
 */
export function finding(measured: Measured): string[] {
  const sentences = sentencesOf(measured).map(({ text }) => text);
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
  const sentences = sentencesOf(measured).filter(({ isDetail }) => isDetail);
  const known = new Set(sentences.map(({ text }) => text));
  const answer = all.filter((sentence) => !known.has(sentence));
  return answer.length > 0 ? answer : [...all];
}

function sentencesOf({ points, fits, breakEvens: all = [] }: Measured): Sentence[] {
  const fastest = answers(fastestSentences(points, fits));
  const isFastestKnown = fastest.length > 0;
  const gaps = gapSentences(points, isFastestKnown);
  const breakEvens = all.map((each) => {
    return { text: breakEvenFinding(each), isDetail: !isBreakEvenShown(each) };
  });
  return [
    // With two series, the answer is their difference; with more, the fastest one.
    ...(isFastestKnown ? [...fastest, ...breakEvens, ...gaps] : [...gaps, ...breakEvens]),
    ...answers(singleSeriesSentences(points)),
    ...details(slopeSentences(fits)),
    ...details(processorSentence(points)),
    ...details(ofOneVariant(fits).flatMap(bytesSentence)),
    ...answers(launchesSentence(points)),
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
  const isSmaller = fit.storedBytes <= mostStoredShare * fit.decodedBytes;
  const form =
    isRecompressed(fit) && isSmaller
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

function gapSentences(points: readonly SweepPoint[], isFastestKnown: boolean): Sentence[] {
  const pairs = pairsAmong(points);
  const undecided = undecidedPairs(points, pairs);
  const said = isFastestKnown ? details : answers;
  // Several pairs without a decision are named in one sentence.
  const outcomes = (pair: SeriesPair): Sentence[] =>
    undecided.length > 1 && undecided.includes(pair) ? [] : said(outcomesSentence(points, pair));
  const open =
    undecided.length > 1 ? [`Unknown wherever they were compared: ${pairNames(undecided)}.`] : [];
  // A run with variants compares the variants; its arms get only their verdicts.
  const hasVariants = pairs.some(({ between }) => between === 'variants');
  const isAsked = ({ between }: SeriesPair) => between === (hasVariants ? 'variants' : 'arms');
  const asked = pairs.filter(isAsked).flatMap((pair) => {
    const judged = judgedPoints(points, pair);
    const last = judged.findLast(({ point }) => point.storage !== 'none');
    const control = judged.filter(({ point }) => point.storage === 'none').slice(0, 1);
    const atControl = control.map(({ point, gap }) => verdictAt(point, gap));
    return [
      ...answers(
        last ? [verdictAt(last.point, last.gap), ...signChangeSentence(points, pair)] : [],
      ),
      ...(last ? details : answers)(atControl),
      ...outcomes(pair),
    ];
  });
  return [...asked, ...pairs.filter((pair) => !isAsked(pair)).flatMap(outcomes), ...said(open)];
}

/** Reports the first point from which the direction stays the same to the end, and where it was the opposite before. */
function signChangeSentence(points: readonly SweepPoint[], pair: SeriesPair): string[] {
  const judged = judgedPoints(points, pair);
  const final = judged.at(-1)?.direction;
  if (final !== 'slower' && final !== 'faster') return [];
  const before = judged.findLastIndex(({ direction }) => direction !== final);
  const opposite = final === 'slower' ? 'faster' : 'slower';
  const first = judged[before + 1];
  const earlier = judged.slice(0, before + 1);
  const turned = earlier.filter(({ direction }) => direction === opposite);
  const returns = earlier.some(({ direction }) => direction === final);
  if (!first || turned.length === 0 || returns || first.point.storage === 'none') return [];
  const { of, against } = pair;
  const where = placesWhere(
    points,
    points.map((each) => turned.some(({ point }) => point === each)),
  );
  return [
    `The gap changes sign: ${where} ${seriesName(of)} is ${opposite} than ${seriesName(against)}, and from ${delayText(first.point, pair)} on it is ${final}.`,
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

/** Intervals over launches are unknown with fewer than three of them. */
function launchesSentence(points: readonly SweepPoint[]): string[] {
  const launches = points.flatMap(({ arms }) => arms.map((arm) => arm.launches));
  if (launches.length === 0 || least(launches) >= fewestLaunches) return [];
  return [
    `Intervals and verdicts need at least ${fewestLaunches} launches of each cell; ${launches.every((count) => count < fewestLaunches) ? 'this run has' : 'some cells have'} fewer (--launches ${fewestLaunches}).`,
  ];
}
