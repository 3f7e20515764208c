import { counted, digits, percent } from '../quantity.ts';
import type { CpuShareLine } from './cpu-share.ts';
import type { HeldMemoryLine } from './held.ts';
import { type Hypothesis, hypothesis } from './hypothesis.ts';
import { latencyClaims } from './latency-claim.ts';
import { loadClaims } from './load-claims.ts';
import { limitClaim } from './limit-claim.ts';
import { memoryClaim } from './memory-claim.ts';
import { isSingle, passCount, type EvictionPass } from './eviction-pass.ts';
import { type PolicyShown, policyShown } from './policy-shown.ts';
import { median } from '../statistics/quantile.ts';
import { leastAchieved, type LoadReport, loadReport, mostMedianLatenessMs } from './report.ts';
import type { ReclaimLine, ReclaimRun } from './run.ts';
import { plannedRequests } from './traffic.ts';
import { type ReclaimUsage, reclaimUsage } from './usage.ts';
import type { ReclaimWindow } from './window.ts';

/** Result of a cache under load, computed from its lines alone. */
export interface ReclaimSummary {
  report: LoadReport;
  /** The two hypotheses of the BBC report. */
  hypotheses: Hypothesis[];
  reclaims: EvictionOverview;
  usage: ReclaimUsage;
  /** Where the origin spent processor time; null when it was not profiled. */
  cpu: CpuShareLine | null;
  /** Findings, in sentences. */
  finding: string[];
  /** Limits of the result, in sentences. */
  warnings: string[];
}

/** The eviction passes of a run. Medians over passes reported one by one; null without any, or when unknown. */
export interface EvictionOverview {
  count: number;
  /** Time of the first pass, ms. */
  firstMs: number | null;
  evicted: number;
  /** Entries of one pass. */
  evictedEach: number | null;
  durationMs: number | null;
  longestMs: number | null;
  /** How well each criterion predicts which entries were evicted. */
  policy: PolicyShown;
}

/** Threads that wait for a processor longer than this share of their runnable time are reported. */
const mostWaiting = 0.25;

/** The lines of a run by their kind. */
export function linesByKind(lines: readonly ReclaimLine[]) {
  return {
    windows: lines.filter((line): line is ReclaimWindow => line.kind === 'window'),
    passes: lines.filter((line): line is EvictionPass => line.kind === 'reclaim'),
    cpu: lines.find((line): line is CpuShareLine => line.kind === 'cpu-profile') ?? null,
    held: lines.filter((line): line is HeldMemoryLine => line.kind === 'held'),
  };
}

/** Summarizes a run from its lines. */
export function summarizeReclaim(run: ReclaimRun, lines: readonly ReclaimLine[]): ReclaimSummary {
  const { plan } = run;
  const { windows, passes, cpu, held } = linesByKind(lines);
  const isWhole = run.status === 'complete';
  const loads = windows.map(({ load }) => load);
  const report = loadReport(loads, plannedRequests(plan), !isWhole);
  const usage = reclaimUsage(windows);
  const rate = `${digits(plan.rateHz)} requests a second`;
  const hypotheses = [
    hypothesis(`cache limit and reclaim stabilise memory usage at ${rate}`, [
      limitClaim(plan, windows),
      memoryClaim(windows, passes, plan.margin, held),
    ]),
    hypothesis(`cache limit and reclaim are performant at ${rate}`, [
      ...latencyClaims(windows, passes, plan, isShort(usage)),
      ...loadClaims(report, isShort(usage)),
    ]),
  ];
  return {
    report,
    hypotheses,
    reclaims: overviewOf(passes),
    usage,
    cpu,
    finding: hypotheses.map(sentenceOf),
    warnings: warningsOf(run, report, usage),
  };
}

const verdictWords = {
  supported: 'is supported',
  refuted: 'is refuted',
  unknown: 'is neither supported nor refuted',
} as const;

function sentenceOf({ name, verdict, claims }: Hypothesis): string {
  const deciding = claims.filter((claim) => claim.verdict === verdict);
  const shown = (verdict === 'supported' ? claims : deciding)
    .map(({ name: claim, evidence }) => `${claim} (${evidence})`)
    .join('; ');
  return `That ${name} ${verdictWords[verdict]}: ${shown}.`;
}

function overviewOf(passes: readonly EvictionPass[]): EvictionOverview {
  const single = passes.filter(isSingle);
  const reportedMs = (some: readonly EvictionPass[]) =>
    some
      .map(({ how, durationMs, longestMs }) =>
        how === 'reported' ? (longestMs ?? durationMs) : null,
      )
      .filter((each) => each !== null);
  return {
    count: passCount(passes),
    firstMs: passes[0]?.atMs ?? null,
    evicted: passes.reduce((sum, { evicted }) => sum + evicted, 0),
    evictedEach: median(single.map(({ evicted }) => evicted)),
    durationMs: median(reportedMs(single)),
    longestMs: reportedMs(passes).reduce<number | null>(
      (most, ms) => Math.max(most ?? 0, ms),
      null,
    ),
    policy: policyShown(passes),
  };
}

/** Whether processors were so overloaded that latencies are not the cache's alone. */
function isShort({ waitingShare }: ReclaimUsage): boolean {
  return waitingShare !== null && waitingShare > mostWaiting;
}

function warningsOf(
  { plan, status }: ReclaimRun,
  report: LoadReport,
  usage: ReclaimUsage,
): string[] {
  const { traffic } = plan;
  const limited =
    report.limitedBy === 'generator'
      ? [
          `The load was limited by the generator: ${percent(report.achieved)} of the requests were sent (the goal is at least ${100 * leastAchieved} %), with a median send delay of ${digits(report.lateness.p50)} ms (the goal is less than ${mostMedianLatenessMs} ms). Latencies count from the due time and are valid; the rate is not.`,
        ]
      : [];
  const dropped =
    report.dropped > 0
      ? [`${counted(report.dropped, 'request')} were not sent: too many were in flight.`]
      : [];
  const malformed =
    traffic.kind === 'replay' && traffic.malformed > 0
      ? [
          `${counted(traffic.malformed, traffic.format === 'har' ? 'entry' : 'line').replace('entrys', 'entries')} of ${traffic.file} could not be used and ${traffic.malformed === 1 ? 'was' : 'were'} excluded.`,
        ]
      : [];
  const partial =
    status === 'complete'
      ? []
      : ['The run is incomplete: rates refer to the requests that were due by its end.'];
  const short = isShort(usage)
    ? [
        `There was not enough processor time: of the time in which their threads could run, system and harness waited ${percent(usage.waitingShare ?? 0)} for a processor. Latencies describe the machine and the cache.`,
      ]
    : [];
  return [...limited, ...dropped, ...malformed, ...short, ...partial];
}
