import { countFlags, unflagged } from '../run/flags.ts';
import { least } from '../extremes.ts';
import { tallyOf } from '../run/tally.ts';
import { type Trust, trustedFinding, trustOf } from '../run/trust.ts';
import { createRandom } from '../statistics/random.ts';
import { medianInterval } from '../statistics/median-interval.ts';
import { median } from '../statistics/quantile.ts';
import type { Reading } from '../statistics/readings.ts';
import { judgedFamilies } from '../statistics/verdict.ts';
import { changesOf, withheldChange } from './change.ts';
import type {
  PathVerdict,
  ProtocolVerdict,
  TransferCurve,
  TransferPoint,
  WindowVerdict,
} from './curve.ts';
import { transferFinding } from './finding.ts';
import { heldUpBy } from './held-up.ts';
import { segmentBytes } from '../network/link.ts';
import { cannotShow, linkOf, linkSentences } from './link.ts';
import { pathPairs, type PathSummary, pathSummary, withLinkFlags } from './path-summary.ts';
import type { TransferPath } from './path.ts';
import { networkPrediction } from './prediction.ts';
import { type RoundTrip, roundTripOf } from './round-trip.ts';
import type { TransferPlan, TransferRun } from './run.ts';
import {
  type TransferCell,
  transferCellKey,
  type TransferFlag,
  transferFlags,
  type TransferLane,
  type TransferSample,
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
  /** Paths that differ in one setting of the origin's TCP; absent where the plan has none. */
  pathVerdicts?: PathVerdict[];
  /** Sizes around the initial window, on each curve; absent where the plan has no paths. */
  windowVerdicts?: WindowVerdict[];
  /** Each path of the plan; absent where the plan has none. */
  paths?: PathSummary[];
  /** Sentences, the answer first. */
  finding: string[];
}

/** Derives the summary; deterministic for the same run and samples. */
export function summarizeTransfers(
  run: TransferRun,
  taken: readonly TransferSample[],
): TransferSummary {
  const { plan } = run;
  const samples = withLinkFlags(run, taken);
  const byCell = Map.groupBy(samples, ({ cell }) => transferCellKey(cell));
  const of = (cell: TransferCell) => byCell.get(transferCellKey(cell)) ?? [];
  const paths = plan.paths?.map((path) => pathSummary(run, path));
  const roundTrip = paths?.[0]?.roundTrip ?? roundTripOf(run);
  const trust = trustOf(run, tallyOf(samples, tallied));
  const curves = curvesOf(run, of, trust);
  const verdicts = verdictsOf(plan, of, trust);
  const facts = {
    trust,
    ...(paths && {
      paths,
      pathVerdicts: pathVerdictsOf(plan, of, trust),
      windowVerdicts: windowVerdictsOf(plan, of, trust),
    }),
    roundTrip,
    curves,
    verdicts,
    counts: countsOf(samples),
    cannotShow: commonOf(waysOf(plan).map(({ path }) => cannotShow(linkOf(run, path)))),
    link: [
      ...new Set(
        waysOf(plan).flatMap(({ path }) => linkSentences(linkOf(run, path), plan.serverDelayMs)),
      ),
    ],
  };
  return {
    ...facts,
    finding: trustedFinding(
      trust,
      transferFinding({ ...facts, planned: linksFirst(plan.paths ?? []) }),
    ),
  };
}

function tallied({ cell, launch, totalMs: value, flags }: TransferSample) {
  return { cell: transferCellKey(cell), launch, value, isFlagged: flags.length > 0 };
}

type SamplesOf = (cell: TransferCell) => readonly TransferSample[];

/** Every combination of client, connection and protocol, in the plan's order. */
function lanesOf(plan: TransferPlan): TransferLane[] {
  const { clients, connections, protocols } = plan;
  return waysOf(plan).flatMap((way) =>
    clients.flatMap((client) =>
      connections.flatMap((connection) =>
        protocols.map((protocol) => ({ client, protocol, connection, ...way })),
      ),
    ),
  );
}

/** The paths of a plan as a cell names them; one without a name where the plan has none. */
function waysOf({ paths }: TransferPlan): { path?: string }[] {
  return paths ? linksFirst(paths).map(({ name }) => ({ path: name })) : [{}];
}

/** The answer is what a link shows; loopback is its control. */
function linksFirst(paths: readonly TransferPath[]): TransferPath[] {
  return paths.toSorted((one, other) => Number(one.link === null) - Number(other.link === null));
}

/** What all lists have. */
function commonOf([first = [], ...others]: readonly string[][]): string[] {
  return first.filter((each) => others.every((list) => list.includes(each)));
}

function curvesOf(run: TransferRun, of: SamplesOf, { inconclusive }: Trust): TransferCurve[] {
  const { plan } = run;
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
    const roundTrip = roundTripOf(run, lane.path);
    const points = cells.map((cell) => pointOf(run, cell, of, roundTrip));
    return change ? [{ ...lane, points, change }] : [];
  });
}

function readingsOf(samples: readonly TransferSample[]): Reading[] {
  return unflagged(samples).map(({ totalMs, launch }) => ({ value: totalMs, launch }));
}

function pointOf(
  { plan, pathProofs = [] }: TransferRun,
  cell: TransferCell,
  of: SamplesOf,
  { ms }: RoundTrip,
): TransferPoint {
  const samples = of(cell);
  const used = unflagged(samples);
  const { median: medianMs, interval } = medianInterval(readingsOf(samples));
  const middle = (part: 'connectMs' | 'waitMs' | 'downloadMs' | 'originMs') =>
    median(used.flatMap((sample) => sample[part] ?? []));
  return {
    cell,
    samples: used.length,
    flagged: samples.length - used.length,
    medianMs,
    lowMs: interval?.low ?? null,
    highMs: interval?.high ?? null,
    leastMs: used.length === 0 ? null : least(used.map(({ totalMs }) => totalMs)),
    roundTrips: medianMs === null || ms === null || ms <= 0 ? null : medianMs / ms,
    ...predictionOf(plan, cell, of),
    heldUp: heldUpBy(pathProofs, cell),
    connectMs: middle('connectMs'),
    waitMs: middle('waitMs'),
    downloadMs: middle('downloadMs'),
    originMs: middle('originMs'),
  };
}

/** The predicted time of a cell and its parts: of the network, and of the programs, which loopback shows alone. */
function predictionOf(
  { paths, requestBytes, serverDelayMs }: TransferPlan,
  cell: TransferCell,
  of: SamplesOf,
) {
  const pathOf = (holds: (path: TransferPath) => boolean) => paths?.find(holds);
  const path = pathOf(({ name }) => name === cell.path);
  const network = networkPrediction(path, cell, unflagged(of(cell)), requestBytes);
  const loopback = pathOf(({ link }) => link === null)?.name;
  const alike = loopback === undefined ? [] : unflagged(of({ ...cell, path: loopback }));
  const loopbackMs = network && median(alike.map(({ totalMs }) => totalMs));
  const processingMs = loopbackMs === null ? null : Math.max(0, loopbackMs - serverDelayMs);
  const networkMs = network && 'ms' in network ? network.ms : null;
  return {
    networkMs,
    processingMs,
    predictedMs: networkMs === null ? null : networkMs + serverDelayMs + (processingMs ?? 0),
    unpredicted: network && 'unknown' in network ? network.unknown : null,
  };
}

/** Each protocol against the first, size by size; those of one protocol, client and connection are one family. */
function verdictsOf(plan: TransferPlan, of: SamplesOf, { inconclusive }: Trust): ProtocolVerdict[] {
  const [against, ...others] = plan.protocols;
  if (against === undefined) return [];
  const asked = lanesOf({ ...plan, protocols: others }).flatMap(({ protocol, ...where }) =>
    plan.sizesBytes.map((responseBytes) => ({ ...where, of: protocol, against, responseBytes })),
  );
  const groups = asked.map((each) => {
    const { of: own, against: other, ...where } = each;
    return {
      each,
      question: [own, other, where.client, where.connection, where.path].join(),
      of: readingsOf(of({ ...where, protocol: own })),
      against: readingsOf(of({ ...where, protocol: other })),
    };
  });
  return judgedFamilies(groups, { better: 'lower', margin: plan.margin, inconclusive }).map(
    ({ each, comparison, verdict }) => ({ ...each, comparison, verdict }),
  );
}

/** Each initial window and each congestion control against the first of the same link: they differ in nothing else. */
function pathVerdictsOf(plan: TransferPlan, of: SamplesOf, { inconclusive }: Trust): PathVerdict[] {
  const lanes = lanesOf({ ...plan, paths: plan.paths?.slice(0, 1) });
  const asked = pathPairs(plan.paths ?? []).flatMap((pair) =>
    lanes.flatMap(({ path: _first, ...lane }) =>
      plan.sizesBytes.map((responseBytes) => ({ ...lane, responseBytes, ...pair })),
    ),
  );
  const groups = asked.map((each) => {
    const { of: own, against: other, ...where } = each;
    return {
      each,
      question: [own, other, where.client, where.protocol, where.connection].join(),
      of: readingsOf(of({ ...where, path: own })),
      against: readingsOf(of({ ...where, path: other })),
    };
  });
  return judgedFamilies(groups, { better: 'lower', margin: plan.margin, inconclusive }).map(
    ({ each, comparison, verdict }) => ({ ...each, comparison, verdict }),
  );
}

/**
 * The first size above the initial window against the last one that fits, on each curve. Loopback, whose round trip is not
 * visible, has the pair of the first link.
 */
function windowVerdictsOf(
  plan: TransferPlan,
  of: SamplesOf,
  { inconclusive }: Trust,
): WindowVerdict[] {
  const windowOf = (name: string | undefined) => {
    const path = plan.paths?.find((each) => each.name === name);
    return path?.initialWindow ?? plan.paths?.find(({ link }) => link)?.initialWindow;
  };
  const asked = lanesOf(plan).flatMap((lane) => {
    const windowBytes = (windowOf(lane.path) ?? 0) * segmentBytes;
    const against = plan.sizesBytes.findLast((bytes) => bytes <= windowBytes - headerBytes);
    const own = plan.sizesBytes.find((bytes) => bytes > windowBytes);
    return against === undefined || own === undefined
      ? []
      : [{ ...lane, windowBytes, of: own, against }];
  });
  const groups = asked.map((each) => {
    const { windowBytes: _window, of: own, against: other, ...lane } = each;
    return {
      each,
      question: 'above the window against below it',
      of: readingsOf(of({ ...lane, responseBytes: own })),
      against: readingsOf(of({ ...lane, responseBytes: other })),
    };
  });
  return judgedFamilies(groups, { better: 'lower', margin: plan.margin, inconclusive }).map(
    ({ each, comparison, verdict }) => ({ ...each, comparison, verdict }),
  );
}

/** Room for the header fields of a response, bytes: they are in the same window. */
const headerBytes = 1000;

function countsOf(samples: readonly TransferSample[]): TransferSummary['counts'] {
  const flagged = countFlags(samples, transferFlags);
  return { samples: samples.length, used: unflagged(samples).length, flagged };
}
