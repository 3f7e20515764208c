import { tallyOf } from '../run/tally.ts';
import { type Trust, trustedFinding, trustOf } from '../run/trust.ts';
import { createRandom } from '../statistics/random.ts';
import { compareFamily } from '../statistics/comparison.ts';
import { medianInterval } from '../statistics/median-interval.ts';
import { median } from '../statistics/quantile.ts';
import type { Reading } from '../statistics/readings.ts';
import { judge } from '../statistics/verdict.ts';
import { changesOf, withheldChange } from './change.ts';
import type { ProtocolVerdict, TransferCurve, TransferPoint } from './curve.ts';
import { transferFinding } from './finding.ts';
import { cannotShow, linkSentences } from './link.ts';
import { type RoundTrip, roundTripOf } from './round-trip.ts';
import type { TransferPlan, TransferRun } from './run.ts';
import {
  type TransferCell,
  transferCellKey,
  type TransferFlag,
  transferFlags,
  type TransferSample,
  usableTransfers,
} from './sample.ts';

/** The results of a transfer run, derived from run and samples. */
export interface TransferSummary {
  trust: Trust;
  roundTrip: RoundTrip;
  curves: TransferCurve[];
  verdicts: ProtocolVerdict[];
  counts: { samples: number; used: number; flagged: Record<TransferFlag, number> };
  /** Effects that this link cannot show. */
  cannotShow: string[];
  /** Facts about the link that a reader needs, in sentences. */
  link: string[];
  /** Sentences, the answer first. */
  finding: string[];
}

/** Derives the summary; deterministic for the same run and samples. */
export function summarizeTransfers(
  run: TransferRun,
  samples: readonly TransferSample[],
): TransferSummary {
  const { plan } = run;
  const byCell = Map.groupBy(samples, ({ cell }) => transferCellKey(cell));
  const of = (cell: TransferCell) => byCell.get(transferCellKey(cell)) ?? [];
  const roundTrip = roundTripOf(run);
  const trust = trustOf(run, tallyOf(samples, tallied));
  const curves = curvesOf(plan, of, roundTrip, trust);
  const verdicts = verdictsOf(plan, of, trust);
  const facts = {
    trust,
    roundTrip,
    curves,
    verdicts,
    counts: countsOf(samples),
    cannotShow: cannotShow(run.link),
    link: linkSentences(run.link, plan.serverDelayMs),
  };
  return { ...facts, finding: trustedFinding(trust, transferFinding(facts)) };
}

function tallied({ cell, launch, totalMs: value, flags }: TransferSample) {
  return { cell: transferCellKey(cell), launch, value, isFlagged: flags.length > 0 };
}

/**
 * A fifth of the default: a hundred comparisons then take half a second, and the ends of intervals vary by about 2 % of
 * their width.
 */
const resamples = 2000;

type SamplesOf = (cell: TransferCell) => readonly TransferSample[];

/** Every combination of client, connection and protocol, in the plan's order. */
function lanesOf({ clients, connections, protocols }: TransferPlan) {
  return clients.flatMap((client) =>
    connections.flatMap((connection) =>
      protocols.map((protocol) => ({ client, protocol, connection })),
    ),
  );
}

function curvesOf(
  plan: TransferPlan,
  of: SamplesOf,
  roundTrip: RoundTrip,
  { inconclusive }: Trust,
): TransferCurve[] {
  const lanes = lanesOf(plan).map((lane) => ({
    lane,
    cells: plan.sizesBytes.map((responseBytes) => ({ ...lane, responseBytes })),
  }));
  const sizes = lanes.map(({ cells }) =>
    cells.map((cell) => ({ bytes: cell.responseBytes, readings: readingsOf(of(cell)) })),
  );
  const changes = changesOf(sizes, { random: createRandom(plan.seed) });
  return lanes.flatMap(({ lane, cells }, place) => {
    const found = changes[place];
    const change = found && inconclusive !== null ? withheldChange(found) : found;
    const points = cells.map((cell) => pointOf(cell, of(cell), plan.seed, roundTrip));
    return change ? [{ ...lane, points, change }] : [];
  });
}

function readingsOf(samples: readonly TransferSample[]): Reading[] {
  return usableTransfers(samples).map(({ totalMs, launch }) => ({ value: totalMs, launch }));
}

function pointOf(
  cell: TransferCell,
  samples: readonly TransferSample[],
  seed: number,
  { ms }: RoundTrip,
): TransferPoint {
  const used = usableTransfers(samples);
  const { median: medianMs, interval } = medianInterval(readingsOf(samples), {
    random: createRandom(seed),
    resamples,
  });
  const middle = (part: 'connectMs' | 'waitMs' | 'downloadMs' | 'originMs') =>
    median(used.flatMap((sample) => sample[part] ?? []));
  return {
    cell,
    samples: used.length,
    flagged: samples.length - used.length,
    medianMs,
    // Few launches give wide intervals, but no time is below 0.
    lowMs: interval && Math.max(0, interval.low),
    highMs: interval?.high ?? null,
    roundTrips: medianMs === null || ms === null || ms <= 0 ? null : medianMs / ms,
    connectMs: middle('connectMs'),
    waitMs: middle('waitMs'),
    downloadMs: middle('downloadMs'),
    originMs: middle('originMs'),
  };
}

/** Each protocol against the first, size by size; all comparisons of a run are judged together. */
function verdictsOf(plan: TransferPlan, of: SamplesOf, { inconclusive }: Trust): ProtocolVerdict[] {
  const [against, ...others] = plan.protocols;
  if (against === undefined) return [];
  const asked = lanesOf({ ...plan, protocols: others }).flatMap(({ protocol, ...where }) =>
    plan.sizesBytes.map((responseBytes) => ({ ...where, of: protocol, against, responseBytes })),
  );
  const groups = asked.map(({ of: own, against: other, ...where }) => ({
    of: readingsOf(of({ ...where, protocol: own })),
    against: readingsOf(of({ ...where, protocol: other })),
  }));
  const comparisons = compareFamily(groups, { random: createRandom(plan.seed), resamples });
  const verdicts = judge(comparisons, { better: 'lower', margin: plan.margin, inconclusive });
  return asked.flatMap((each, place) => {
    const [comparison, verdict] = [comparisons[place], verdicts[place]];
    return comparison && verdict ? [{ ...each, comparison, verdict }] : [];
  });
}

function countsOf(samples: readonly TransferSample[]): TransferSummary['counts'] {
  const countOf = (flag: TransferFlag) =>
    samples.filter(({ flags }) => flags.includes(flag)).length;
  const flagged = Object.fromEntries(transferFlags.map((flag) => [flag, countOf(flag)])) as Record<
    TransferFlag,
    number
  >;
  return { samples: samples.length, used: usableTransfers(samples).length, flagged };
}
