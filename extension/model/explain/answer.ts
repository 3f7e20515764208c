import { greatest } from '../extremes.ts';
import { codingLabels } from '../coding.ts';
import type { BreakEven } from './break-even.ts';
import {
  breakEvenFinding,
  delayOfBreakEven,
  networkWords,
  onDisks,
  rangeText,
} from './break-even-words.ts';
import type { Explanation } from './explanation.ts';
import type { FittedModel } from './hit-model.ts';
import { byteSize, digits, milliseconds, percent } from '../quantity.ts';
import { intervalWords } from '../statistics/interval-words.ts';
import { fewestLaunches } from '../statistics/launch-level.ts';
import {
  type GapDirection,
  gapBetween,
  gapDirection,
  outcomesSentence,
} from '../sweep/gap-outcomes.ts';
import type { SweepRun } from '../sweep/run.ts';
import { isRecompressed } from '../sweep/recompressed.ts';
import { baselineArm, isSameSeries, type Series, seriesName } from '../sweep/series.ts';
import type { ArmFit, SweepSummary } from '../sweep/summary.ts';
import { type StoredForm, storedFormLabels, type FormTime } from './stored-form.ts';

type Found = Omit<Explanation, 'answer'>;

/** All inputs of the sentences. */
interface Inputs extends Found {
  run: SweepRun;
  summary: SweepSummary;
  /** The DCB series of the first workload, and that of its baseline. */
  dcb: Series;
  baseline: Series;
  /** The name of the baseline's coding. */
  label: string;
  /** Name of the workload. */
  name: string;
  /** The models of DCB and of the baseline; undefined: none that holds. */
  of: FittedModel | undefined;
  against: FittedModel | undefined;
}

/**
 * Whether a DCB response should be compressed before it is stored, for the first workload, from the measurements of the
 * run. A sentence that the run does not support is left out. Never empty.
 */
export function explanationAnswer(run: SweepRun, summary: SweepSummary, found: Found): string[] {
  const arm = baselineArm(run.plan) ?? 'br';
  const [workload] = run.plan.workloads ?? [];
  const [variant] = run.plan.variants ?? [];
  const place = {
    ...(workload && { workload: workload.name }),
    ...(variant && { variant: variant.name }),
  };
  const dcb: Series = { arm: 'dcb', ...place };
  const baseline: Series = { arm, ...place };
  const modelOf = (wanted: Series) =>
    found.models.find(({ verdict, series }) => verdict === 'holds' && isSameSeries(series, wanted));
  const inputs: Inputs = {
    ...found,
    run,
    summary,
    dcb,
    baseline,
    label: codingLabels[arm],
    name: dcb.workload ?? run.plan.workload.name,
    of: modelOf(dcb),
    against: modelOf(baseline),
  };
  return sentences.flatMap((sentenceOf) => sentenceOf(inputs) ?? []);
}

/** In the order of the answer; null: the run does not support the sentence. */
const sentences: readonly ((inputs: Inputs) => string | string[] | null)[] = [
  answerSentence,
  diskSentence,
  wireSentence,
  costSentence,
  causeSentence,
  dictionarySentence,
  recompressedSentences,
  formSentences,
  firstLoadSentence,
  modelSentence,
];

/** The break-even of hits alone, when the models of both arms hold. */
function hitsOf({ breakEvens, dcb, of, against }: Inputs): BreakEven | undefined {
  const hits = breakEvens.find((each) => networkWords(each) === null && isSameSeries(each.of, dcb));
  return of && against ? hits : undefined;
}

function fitOf({ summary }: Inputs, series: Series): ArmFit | undefined {
  return summary.fits.find((fit) => isSameSeries(fit, series));
}

/** Yes or no: from the models of the two arms. */
function answerSentence(inputs: Inputs): string {
  const { models, dcb, baseline, label } = inputs;
  const hits = hitsOf(inputs);
  const isFitted = [dcb, baseline].every((series) =>
    models.some((model) => isSameSeries(model.series, series)),
  );
  if (!isFitted) return 'This run has no break-even: that needs DCB, Brotli and three delays.';
  // A line that does not fit the measurements supports no conclusion.
  if (!hits) return 'The model does not fit the read times, so there is no break-even.';
  return hits.slower === null ? withoutBreakEven(hits, inputs) : deviceSentences(hits, label);
}

/** Which form is faster above and below the break-even. */
function deviceSentences(hits: BreakEven, label: string): string {
  const fasterAt = (side: 'above' | 'below') =>
    `${side === 'above' ? 'Above' : 'Below'} it, a hit is faster if the body is stored ${side === hits.slower ? `as ${label}` : 'decoded'}`;
  return `It depends on the device: the break-even latency of a device read is ${delayOfBreakEven(hits)}. ${fasterAt('above')}. ${fasterAt('below')}.`;
}

/** Without a break-even the verdicts of the sweep decide, at the delays that it measured. */
function withoutBreakEven(hits: BreakEven, { summary, dcb, baseline, label }: Inputs): string {
  const slow = summary.points.filter(({ storage }) => storage !== 'none');
  const gaps = slow.map((point) => gapBetween(point, dcb, baseline));
  const isAll = (direction: GapDirection) =>
    gaps.length > 0 && gaps.every((gap) => gap && gapDirection(gap) === direction);
  const where = `at every measured delay, ${rangeText(hits)}`;
  if (isAll('slower')) return `Yes, ${where}: a hit is faster if the body is stored as ${label}.`;
  if (isAll('faster')) return `No, ${where}: a hit is faster if the body stays decoded.`;
  return [
    `Not decided: no break-even ${rangeText(hits)} is shown.`,
    ...outcomesSentence(summary.points, { between: 'arms', of: dcb, against: baseline }),
  ].join(' ');
}

/** From published values of disks. */
function diskSentence(inputs: Inputs): string | null {
  return hitsOf(inputs) ? onDisks(inputs.predictions, inputs.dcb, inputs.baseline) : null;
}

/** The loss of one hit compared with the saving of the first load. */
function wireSentence({ breakEvens, dcb, of, against }: Inputs): string | null {
  const netted = breakEvens.find(
    (each) =>
      (each.networkBitsPerSecond === 50e6 || each.link !== undefined) && isSameSeries(each.of, dcb),
  );
  if (!of || !against || netted?.slower !== 'above') return null;
  const network = netted.link === undefined ? 'At 50 Mbit/s' : `Over ${netted.link}`;
  return `${network} DCB saved ${milliseconds(netted.savedMs)} on the network; one hit costs more than that where a device read takes more than ${delayOfBreakEven(netted)}.`;
}

function costSentence({ of, against, label }: Inputs): string | null {
  if (!of || !against) return null;
  return `Reading a cached DCB response waits for the device ${digits(of.waits)} times and takes ${milliseconds(of.baseMs)} without delay; a cached ${label} response ${digits(against.waits)} times and ${milliseconds(against.baseMs)}.`;
}

function causeSentence(inputs: Inputs): string | null {
  const { waitModel, dcb, baseline, label } = inputs;
  const of = fitOf(inputs, dcb)?.storedBytes ?? null;
  const against = fitOf(inputs, baseline)?.storedBytes ?? null;
  if (of === null || against === null) return null;
  const sizes = `Chromium stores the DCB response in ${byteSize(of)}, the ${label} response in ${byteSize(against)}`;
  if (waitModel === null || !(waitModel.medianErrorShare <= mostWaitError)) return `${sizes}.`;
  return `${sizes}. The waits depend on the stored bytes, not on their coding: over all codings and sizes ${digits(waitModel.fixedWaits)}, and one more for each ${byteSize(waitModel.bytesPerWait)} (median error ${percent(waitModel.medianErrorShare)}).`;
}

/** Above this median error the waits do not depend on the stored bytes alone. */
const mostWaitError = 0.1;

/** States that a hit reads no dictionary only where a dictionary read would have been counted. */
function dictionarySentence(inputs: Inputs): string | null {
  const { run, dcb } = inputs;
  const slow = run.plan.slow ?? [];
  const hit = fitOf(inputs, dcb)?.deviceReadBytes ?? null;
  const plain = fitOf(inputs, { ...dcb, arm: 'identity' })?.deviceReadBytes ?? null;
  const dictionary = run.plan.workload.dictionaryBytes;
  const profile = slow.includes('dictionaries') || slow.includes('profile');
  if (!profile || hit === null || plain === null || hit - plain > dictionary / 2) return null;
  return `With the dictionaries on the same device a DCB hit reads ${byteSize(hit)} from it, and a hit of the same bytes without a coding ${byteSize(plain)}: a hit reads no dictionary.`;
}

/** The effect of storing the response in another form, on ordinary storage and at the largest delay. */
function formSentences({ formTimes, codingCosts, name }: Inputs): string[] {
  const own = formTimes.filter(
    ({ workload, differenceMs }) => workload === name && differenceMs !== null,
  );
  const slow = own.filter(({ storage }) => storage !== 'none');
  const most = greatest(slow.map(({ requestedDelayMs }) => requestedDelayMs));
  const forms: StoredForm[] = ['recompressed', 'br', 'zstd'];
  return forms.flatMap((form) => {
    const fast = own.find((each) => each.form === form && each.storage === 'none');
    const last = slow.find((each) => each.form === form && each.requestedDelayMs === most);
    const said = [
      fast && `${effectOf(fast)} on ordinary storage`,
      last && `${effectOf(last)} at ${milliseconds(most)} a read`,
    ].filter((part) => part !== undefined);
    if (said.length === 0) return [];
    const cost = codingCosts.find((each) => each.workload === name && each.coding === form);
    const once = cost
      ? `; compressing it costs ${milliseconds(cost.encodeMs)} of one core, once`
      : '';
    return [`A hit stored as ${storedFormLabels[form]} is ${said.join(', and ')}${once}.`];
  });
}

/** Measured break-even delays of hits that Chromium recompressed, against the other arms. */
function recompressedSentences({ summary, dcb }: Inputs): string[] {
  return summary.breakEvens
    .filter(({ of }) => isRecompressed(of) && of.arm === 'dcb' && of.workload === dcb.workload)
    .map(breakEvenFinding);
}

/** `29.9 ms faster than a decoded one (95 % interval 28.1 to 31.7 ms)`, as the table's verdict has it. */
function effectOf({ differenceMs, lowMs, highMs, verdict }: FormTime): string {
  if (differenceMs === null || lowMs === null || highMs === null)
    return `not shown to differ from a decoded one (at least ${fewestLaunches} launches are needed)`;
  const { outcome, margin = 0 } = verdict ?? {};
  const sign = outcome === 'DIFFERENT' && differenceMs < 0 ? -1 : 1;
  const ends = sign < 0 ? { low: -highMs, high: -lowMs } : { low: lowMs, high: highMs };
  const { estimate, interval } = intervalWords(sign * differenceMs, ends);
  const within = `95 % interval ${interval} ms`;
  if (outcome === 'SAME') return `the same as a decoded one within ${percent(margin)} (${within})`;
  if (outcome !== 'DIFFERENT') return `not shown to differ from a decoded one (${within})`;
  return `${estimate} ms ${sign < 0 ? 'faster' : 'slower'} than a decoded one (${within})`;
}

/** States that a first load reads the dictionary only where it reads about as many bytes more. */
function firstLoadSentence({ run, firstLoads }: Inputs): string | null {
  const last = firstLoads.findLast(
    ({ storage, ofMs, againstMs }) => storage !== 'none' && ofMs !== null && againstMs !== null,
  );
  if (!last) return null;
  const { ofDeviceReads, againstDeviceReads, ofDeviceReadBytes, againstDeviceReadBytes } = last;
  const reads =
    ofDeviceReads === null || againstDeviceReads === null
      ? ''
      : `, with ${digits(ofDeviceReads)} device reads against ${digits(againstDeviceReads)}`;
  const { dictionaryBytes } = run.plan.workload;
  const dictionary =
    ofDeviceReadBytes !== null &&
    againstDeviceReadBytes !== null &&
    Math.abs(ofDeviceReadBytes - againstDeviceReadBytes - dictionaryBytes) < dictionaryBytes / 2
      ? 'A first load does read the dictionary'
      : 'A first load';
  const sure = last.verdict.outcome === 'DIFFERENT' ? '' : ' (no difference shown)';
  return `${dictionary}: on a device with ${milliseconds(last.requestedDelayMs)} of read delay it takes ${milliseconds(last.ofMs)} as ${codingLabels[last.of]} and ${milliseconds(last.againstMs)} as ${codingLabels[last.against]}${sure}${reads}.`;
}

/** Points that the fit excludes, and a curvature of the remaining points. */
function anomalies({ series, points, curvature }: FittedModel): string[] {
  const excluded = points.filter(({ isExcluded }) => isExcluded);
  const name = seriesName(series);
  const signs = points.map(({ residualMs }) => (residualMs < 0 ? '-' : '+')).join(' ');
  const isCurved = curvature !== null && curvature.p !== null && curvature.p <= curvatureAlpha;
  return [
    ...excluded.map(
      ({ requestedDelayMs, residualShare }) =>
        `the fit of ${name} excludes ${milliseconds(requestedDelayMs)}, which is ${percent(Math.abs(residualShare))} off`,
    ),
    isCurved &&
      `the read times of ${name} curve away from the line by up to ${percent(curvature.share)} (p = ${digits(curvature.p)}; residuals by rising delay: ${signs})`,
  ].filter((part) => part !== false);
}

/** A curvature is reported when p is at most 0.01. */
const curvatureAlpha = 0.01;

function modelSentence({ heldOut, witnesses, models }: Inputs): string | null {
  if (models.length === 0) return null;
  const failing = models.filter(({ verdict }) => verdict === 'fails').length;
  const counted = witnesses.filter(({ verdict }) => verdict !== 'unknown');
  const near = counted.filter(
    ({ differenceShare }) => Math.abs(differenceShare ?? 1) <= 0.05,
  ).length;
  const within = counted.filter(({ verdict }) => verdict === 'agree').length - near;
  const parts = [
    heldOut.medianShare !== null &&
      `fitted to half of the delays, its median error at the others is ${percent(heldOut.medianShare)}`,
    counted.length === 0
      ? 'the device reads that a hit waits for were not counted one by one'
      : `its waits are within 5 % of those of traced reads in ${near} of ${counted.length} series, and within their interval in ${within} more`,
    ...models.flatMap(anomalies),
    failing > 0 && `it fails for ${failing} of ${models.length} series`,
  ].filter((part) => part !== false);
  return `The model (base + waits x delay): ${parts.join('; ')}.`;
}
