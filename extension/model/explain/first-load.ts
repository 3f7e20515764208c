import { unflagged } from '../run/flags.ts';
import { type Coding, codingLabels, dictionaryCodings } from '../coding.ts';
import type { SampleFlag } from '../run/sample.ts';
import { median } from '../statistics/quantile.ts';
import type { Reading } from '../statistics/readings.ts';
import { judgedFamily, type Verdict } from '../statistics/verdict.ts';
import { readTimes, verdictSentence } from '../statistics/verdict-sentence.ts';
import type { FirstLoad, SweepReads } from '../sweep/reads.ts';
import type { SweepPoint } from '../sweep/result.ts';
import { marginOf, type SweepRun } from '../sweep/run.ts';
import { baselineArm, variantsOf } from '../sweep/series.ts';
import type { Trust } from '../run/trust.ts';

/** Evidence of the witnesses about a first load. */
export interface FirstLoadEvidence {
  /** Requests for this load that reached the origin. */
  originRequests: number;
  /** Content coding of the response; null: there was no response. */
  coding: Coding | null;
  /** Lower-case hex SHA-256 of the decoded bytes; empty without a complete body. */
  bodySha256: string;
}

/** Flags of a load that should come from the network, in one request, with the arm's coding and the right bytes. */
export function firstLoadFlags(
  { originRequests, coding, bodySha256 }: FirstLoadEvidence,
  arm: Coding,
  expectedSha256: string,
): SampleFlag[] {
  const flags: SampleFlag[] = [];
  if (bodySha256 === '') flags.push('read-failed');
  else if (bodySha256 !== expectedSha256) flags.push('wrong-body');
  if (originRequests !== 1 || coding !== arm) flags.push('origin-unasked');
  return flags;
}

/** First loads with a dictionary compared with those without, at one point. */
export interface FirstLoadGap {
  storage: SweepPoint['storage'];
  requestedDelayMs: number;
  /** The coding with the dictionary, and the coding without. */
  of: Coding;
  against: Coding;
  /** Median times, ms; null: every load was flagged. */
  ofMs: number | null;
  againstMs: number | null;
  differenceMs: number | null;
  lowMs: number | null;
  highMs: number | null;
  /** Median device reads during the load; null: unknown. */
  ofDeviceReads: number | null;
  againstDeviceReads: number | null;
  /** Median bytes that the device read during the load; null: unknown. */
  ofDeviceReadBytes: number | null;
  againstDeviceReadBytes: number | null;
  /** Loads of both codings that were flagged and excluded. */
  flagged: number;
  verdict: Verdict;
  sentence: string;
}

/** Each dictionary coding against the baseline in the first variant, at every point that has first loads. */
export function firstLoadGaps(
  run: SweepRun,
  { points, trust }: { points: readonly SweepPoint[]; trust: Trust },
  { firstLoads }: SweepReads,
): FirstLoadGap[] {
  const against = baselineArm(run.plan);
  const variant = variantsOf(run.plan)[0]?.name;
  const loads = firstLoads.filter(({ cell }) => cell.variant === variant);
  if (loads.length === 0 || against === undefined) return [];
  const options = { margin: marginOf(run.plan), inconclusive: trust.inconclusive };
  return dictionaryCodings
    .filter((arm) => arm !== against && run.plan.arms.includes(arm))
    .flatMap((of) => gapsOfArm({ of, against }, points, loads, options));
}

function gapsOfArm(
  { of, against }: { of: Coding; against: Coding },
  points: readonly SweepPoint[],
  loads: readonly FirstLoad[],
  options: { margin: number; inconclusive: string | null },
): FirstLoadGap[] {
  const names = {
    of: `a first load as ${codingLabels[of]}`,
    against: `one as ${codingLabels[against]}`,
  };
  const taken = points.flatMap((point) => {
    const here = loads.filter(
      ({ cell }) =>
        cell.storage === point.storage &&
        cell.delayMs === point.requestedDelayMs &&
        [of, against].includes(cell.arm),
    );
    if (here.length === 0) return [];
    const [first, second] = [soundOf(here, of), soundOf(here, against)];
    const groups = { of: readingsOf(first), against: readingsOf(second), names };
    return [{ point, here, first, second, ...groups }];
  });
  const judged = judgedFamily(taken, { ...options, better: 'lower' });
  return judged.map(({ point, here, first, second, comparison, verdict }) => ({
    storage: point.storage,
    requestedDelayMs: point.requestedDelayMs,
    of,
    against,
    ofMs: comparison.of.median,
    againstMs: comparison.against.median,
    differenceMs: comparison.difference,
    lowMs: comparison.differenceInterval?.low ?? null,
    highMs: comparison.differenceInterval?.high ?? null,
    ofDeviceReads: deviceReadsOf(first, 'reads'),
    againstDeviceReads: deviceReadsOf(second, 'reads'),
    ofDeviceReadBytes: deviceReadsOf(first, 'readBytes'),
    againstDeviceReadBytes: deviceReadsOf(second, 'readBytes'),
    flagged: here.length - unflagged(here).length,
    verdict,
    sentence: verdictSentence(comparison, verdict, names, readTimes),
  }));
}

function soundOf(loads: readonly FirstLoad[], arm: Coding): FirstLoad[] {
  return unflagged(loads).filter(({ cell }) => cell.arm === arm);
}

function readingsOf(loads: readonly FirstLoad[]): Reading[] {
  return loads.map(({ readMs, launch }) => ({ value: readMs, launch }));
}

function deviceReadsOf(loads: readonly FirstLoad[], counter: 'reads' | 'readBytes'): number | null {
  const counted = loads.map(({ device }) => device).filter((device) => device !== null);
  return median(counted.filter(({ shared }) => !shared).map((device) => device[counter]));
}
