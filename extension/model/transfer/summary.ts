import { createRandom } from './random.ts';
import { type Comparison, compare } from './statistics/comparison.ts';
import { medianInterval } from './statistics/median-interval.ts';
import { median } from './statistics/quantile.ts';
import type { Reading } from './statistics/readings.ts';
import { judge, type Verdict } from './statistics/verdict.ts';
import { type Change, changeOf } from './transfer-change.ts';
import { transferFinding } from './transfer-finding.ts';
import { cannotShow, linkSentences } from './transfer-link.ts';
import { type RoundTrip, roundTripOf } from './transfer-round-trip.ts';
import type { TransferPlan, TransferRun } from './transfer-run.ts';
import {
  type ConnectionState,
  type TransferCell,
  transferCellKey,
  type TransferClient,
  type TransferFlag,
  transferFlags,
  type TransferProtocol,
  type TransferSample,
  usableTransfers,
} from './transfer-sample.ts';

/** One cell: so many answers of one size. Times in ms; null: unknown, never 0. */
export interface TransferPoint {
  cell: TransferCell;
  /** Samples in the statistics. */
  samples: number;
  flagged: number;
  medianMs: number | null;
  lowMs: number | null;
  highMs: number | null;
  /** medianMs in round trips; null when either is unknown. */
  roundTrips: number | null;
  /** Medians of the parts; null where no sample knows them. */
  connectMs: number | null;
  waitMs: number | null;
  downloadMs: number | null;
  originMs: number | null;
}

/** All sizes of one client, protocol and state of the connection. */
export interface TransferCurve {
  client: TransferClient;
  protocol: TransferProtocol;
  connection: ConnectionState;
  points: TransferPoint[];
  change: Change;
}

/** A protocol against the baseline at one size. */
export interface ProtocolVerdict {
  client: TransferClient;
  connection: ConnectionState;
  of: TransferProtocol;
  against: TransferProtocol;
  responseBytes: number;
  comparison: Comparison;
  verdict: Verdict;
}

/** Everything that transfers show, derived from run and samples. */
export interface TransferSummary {
  roundTrip: RoundTrip;
  curves: TransferCurve[];
  verdicts: ProtocolVerdict[];
  counts: { samples: number; used: number; flagged: Record<TransferFlag, number> };
  /** Effects that this link cannot show. */
  cannotShow: string[];
  /** What a reader must know of the link, in sentences. */
  link: string[];
  /** The answer first, in sentences. */
  finding: string[];
}

/** Derives the summary; the same run and samples give the same one. */
export function summarizeTransfers(
  run: TransferRun,
  samples: readonly TransferSample[],
): TransferSummary {
  const { plan } = run;
  const byCell = Map.groupBy(samples, ({ cell }) => transferCellKey(cell));
  const of = (cell: TransferCell) => byCell.get(transferCellKey(cell)) ?? [];
  const roundTrip = roundTripOf(run);
  const curves = curvesOf(plan, of, roundTrip);
  const verdicts = verdictsOf(plan, of);
  const facts = {
    roundTrip,
    curves,
    verdicts,
    counts: countsOf(samples),
    cannotShow: cannotShow(run.link),
    link: linkSentences(run.link, plan.serverDelayMs),
  };
  return { ...facts, finding: transferFinding(facts) };
}

/** A fifth of the usual: a hundred comparisons then take half a second, and ends move by a fiftieth of the width. */
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

function curvesOf(plan: TransferPlan, of: SamplesOf, roundTrip: RoundTrip): TransferCurve[] {
  return lanesOf(plan).map((lane) => {
    const cells = plan.sizesBytes.map((responseBytes) => ({ ...lane, responseBytes }));
    const sizes = cells.map((cell) => ({
      bytes: cell.responseBytes,
      readings: readingsOf(of(cell)),
    }));
    const points = cells.map((cell) => pointOf(cell, of(cell), plan.seed, roundTrip));
    return { ...lane, points, change: changeOf(sizes, { random: createRandom(plan.seed) }) };
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

/** Each protocol against the first, size by size; what is compared in one lane is judged together. */
function verdictsOf(plan: TransferPlan, of: SamplesOf): ProtocolVerdict[] {
  const [against, ...others] = plan.protocols;
  if (against === undefined) return [];
  const lanes = lanesOf({ ...plan, protocols: others });
  return lanes.flatMap(({ protocol, ...where }) => {
    const compared = plan.sizesBytes.map((responseBytes) => {
      const at = (each: TransferProtocol) =>
        readingsOf(of({ ...where, protocol: each, responseBytes }));
      const comparison = compare(at(protocol), at(against), {
        random: createRandom(plan.seed),
        resamples,
      });
      return { ...where, of: protocol, against, responseBytes, comparison };
    });
    const verdicts = judge(
      compared.map(({ comparison }) => comparison),
      { better: 'lower', margin: plan.margin },
    );
    return compared.flatMap((each, place) => {
      const verdict = verdicts[place];
      return verdict ? [{ ...each, verdict }] : [];
    });
  });
}

function countsOf(samples: readonly TransferSample[]): TransferSummary['counts'] {
  const flagged = Object.fromEntries(transferFlags.map((flag) => [flag, 0])) as Record<
    TransferFlag,
    number
  >;
  for (const flag of samples.flatMap(({ flags }) => flags)) flagged[flag]++;
  return { samples: samples.length, used: usableTransfers(samples).length, flagged };
}
