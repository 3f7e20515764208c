import { greatest } from '../extremes.ts';
import { counted, digits, percent } from '../quantity.ts';
import { type Hypothesis, hypothesis } from './hypothesis.ts';
import { latencyClaims } from './latency-claim.ts';
import { loadClaims } from './load-claims.ts';
import { limitClaim } from './limit-claim.ts';
import { memoryClaim } from './memory-claim.ts';
import { passCount, type EvictionPass } from './eviction-pass.ts';
import { type PolicyShown, policyShown } from './policy-shown.ts';
import { type Trust, trustedFinding, trustOf } from '../run/trust.ts';
import { median } from '../statistics/quantile.ts';
import { leastAchieved, type LoadReport, loadReport, mostMedianLatenessMs } from './report.ts';
import { type CpuShareLine, linesByKind, type ReclaimLine, type ReclaimRun } from './run.ts';
import { plannedRequests } from './traffic.ts';
import { type ReclaimUsage, reclaimUsage } from './usage.ts';
import { undisturbedWindows } from './window.ts';

/** Result of a cache under load, computed from its lines alone. */
export interface ReclaimSummary {
  trust: Trust;
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
  /**
   * Number of passes; of sampling intervals with evictions where the passes were observed from outside (`isObserved`):
   * an interval may hold several, and entries that were written and evicted within one are not seen.
   */
  count: number;
  isObserved: boolean;
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

/** Summarizes a run from its lines. */
export function summarizeReclaim(run: ReclaimRun, lines: readonly ReclaimLine[]): ReclaimSummary {
  const { plan } = run;
  const { windows, passes, cpu, held } = linesByKind(lines);
  const loads = windows.map(({ load }) => load);
  const timed = undisturbedWindows(windows);
  const report = loadReport(loads, plannedRequests(plan), {
    stopped: run.status !== 'complete',
    timed: timed.map(({ load }) => load),
  });
  const usage = reclaimUsage(windows);
  const rate = `${digits(plan.rateHz)} requests a second`;
  const trust = trustOf(run, { taken: 0, flagged: 0, cells: [] });
  const { inconclusive } = trust;
  const hypotheses = [
    hypothesis(
      `cache limit and reclaim stabilise memory usage at ${sentRate(plan, report)}`,
      [limitClaim(plan, windows), memoryClaim(windows, passes, plan.margin, held)],
      inconclusive,
    ),
    hypothesis(
      `cache limit and reclaim are performant at ${rate}`,
      [
        ...latencyClaims(timed, passes, plan, inconclusive, isShort(usage)),
        ...loadClaims(report, { isShort: isShort(usage), hasEnded: hasEnded(run) }),
      ],
      inconclusive,
    ),
  ];
  const reclaims = overviewOf(passes);
  const finding = trustedFinding(trust, hypotheses.map(sentenceOf));
  const warnings = warningsOf(run, report, usage);
  return { trust, report, hypotheses, reclaims, usage, cpu, finding, warnings };
}

/** The rate that memory was observed at: not the planned one where the load was limited. */
function sentRate({ rateHz }: ReclaimRun['plan'], report: LoadReport): string {
  const [planned, sent] = [digits(rateHz), digits(report.rateHz)];
  const isAsPlanned = report.limitedBy === null || report.rateHz === null || sent === planned;
  return isAsPlanned
    ? `${planned} requests a second`
    : `${sent} requests a second (${planned} were planned)`;
}

/** What a verdict makes of a hypothesis. */
export const hypothesisVerdicts = {
  supported: 'Supported',
  refuted: 'Refuted',
  unknown: 'Neither supported nor refuted',
} as const;

function sentenceOf({ name, verdict, claims }: Hypothesis): string {
  const deciding = claims.filter((claim) => claim.verdict === verdict);
  const shown = (verdict === 'supported' ? claims : deciding)
    .map(({ name: claim, evidence }) => `${claim} (${evidence})`)
    .join('; ');
  return `${hypothesisVerdicts[verdict]}: ${name}. Evidence: ${shown}.`;
}

function overviewOf(passes: readonly EvictionPass[]): EvictionOverview {
  const single = passes.filter(({ times = 1 }) => times === 1);
  const longest = reportedMs(passes);
  return {
    count: passCount(passes),
    isObserved: passes.some(({ how }) => how === 'observed'),
    firstMs: passes[0]?.atMs ?? null,
    evicted: passes.reduce((sum, { evicted }) => sum + evicted, 0),
    evictedEach: median(single.map(({ evicted }) => evicted)),
    durationMs: median(reportedMs(single)),
    longestMs: longest.length === 0 ? null : greatest(longest),
    policy: policyShown(passes),
  };
}

/** Durations of the passes that the store itself reported, ms: of several in one line, the longest. */
function reportedMs(passes: readonly EvictionPass[]): number[] {
  return passes
    .filter(({ how }) => how === 'reported')
    .map(({ durationMs, longestMs }) => longestMs ?? durationMs)
    .filter((each) => each !== null);
}

/** Whether processors were so overloaded that latencies are not the cache's alone. */
function isShort({ waitingShare }: ReclaimUsage): boolean {
  return waitingShare !== null && waitingShare > mostWaiting;
}

/** A load that only an interrupt ended waits for the requests in flight; one whose system has died, or that still runs, has not. */
function hasEnded({ status, statusReason }: ReclaimRun): boolean {
  return status === 'complete' || statusReason === 'interrupted';
}

function warningsOf(
  { plan: { traffic }, status }: ReclaimRun,
  { limitedBy, achieved, lateness, dropped }: LoadReport,
  usage: ReclaimUsage,
): string[] {
  const warnings: string[] = [];
  if (limitedBy === 'generator')
    warnings.push(
      `The load was limited by the generator: ${percent(achieved)} of the requests were sent (the goal is at least ${100 * leastAchieved} %), with a median send delay of ${digits(lateness.p50)} ms (the goal is less than ${mostMedianLatenessMs} ms). Latencies count from the due time and are valid; the rate is not.`,
    );
  if (dropped > 0)
    warnings.push(`${counted(dropped, 'request')} were not sent: too many were in flight.`);
  if (traffic.kind === 'replay' && traffic.malformed > 0) {
    const unit = traffic.format === 'har' ? 'entry' : 'line';
    const unusable = counted(traffic.malformed, unit).replace('entrys', 'entries');
    const were = traffic.malformed === 1 ? 'was' : 'were';
    warnings.push(`${unusable} of ${traffic.file} could not be used and ${were} excluded.`);
  }
  if (isShort(usage))
    warnings.push(
      `There was not enough processor time: of the time in which their threads could run, system and harness waited ${percent(usage.waitingShare)} for a processor. Latencies describe the machine and the cache.`,
    );
  if (status !== 'complete')
    warnings.push('The run is incomplete: rates refer to the requests that were due by its end.');
  return warnings;
}
