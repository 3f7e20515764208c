import { count, digits, milliseconds, percent } from '../quantity.ts';
import type { Claim } from './hypothesis.ts';
import type { LoadReport } from './report.ts';

/** The least share of the requested rate that must be answered; failures are another claim. */
const leastPace = 0.99;

/** What is known about the run that a load belongs to. */
interface LoadRun {
  /** Processors were overloaded. */
  isShort: boolean;
  /** The load waited for its last requests; otherwise their end, in the window that was not saved, is unknown. */
  hasEnded: boolean;
}

/** Claims about the load itself: sent at the requested rate, answered at that rate, without failures. */
export function loadClaims(report: LoadReport, { isShort, hasEnded }: LoadRun): Claim[] {
  return [rateClaim(report), paceClaim(report, isShort), failureClaim(report, hasEnded)];
}

function rateClaim({ achieved, lateness, limitedBy }: LoadReport): Claim {
  const evidence = `${percent(achieved)} of the requests were sent, with a median send delay of ${digits(lateness.p50)} ms`;
  const name = 'the requested load was sent';
  if (limitedBy === null) return { name, verdict: 'supported', evidence };
  // Requests that the generator could not send say nothing about the cache.
  if (limitedBy === 'generator')
    return { name, verdict: 'unknown', evidence: `${evidence}: limited by the generator` };
  return {
    name,
    verdict: 'refuted',
    evidence: `${evidence}: too many requests were in flight in the system`,
  };
}

/** Answers keep up with requests: otherwise requests pile up. */
function paceClaim(report: LoadReport, isShort: boolean): Claim {
  const { rateHz, throughputHz, totalMs, waitMs, success, service } = report;
  const name = 'the system kept up with the load';
  if (rateHz === null || throughputHz === null || success === null)
    return { name, verdict: 'unknown', evidence: 'too few requests were sent' };
  // The last answer also takes its latency, even when the system keeps pace.
  const ownMs = Math.min(waitMs, service.p50 ?? 0);
  const paceHz = (throughputHz * totalMs) / (totalMs - ownMs);
  const evidence = `${digits(paceHz)} successful responses a second at ${digits(rateHz)} requests a second, not counting ${milliseconds(ownMs)} after the last request (at most the median latency); the last response arrived ${milliseconds(waitMs)} after the last request`;
  // With too little processor time neither answer is about the system.
  if (isShort)
    return {
      name,
      verdict: 'unknown',
      evidence: `${evidence}; there was not enough processor time`,
    };
  const isKept = paceHz >= leastPace * success * rateHz;
  return { name, verdict: isKept ? 'supported' : 'refuted', evidence };
}

function failureClaim(
  { requests, success, errors, statuses, inFlight }: LoadReport,
  hasEnded: boolean,
): Claim {
  const name = 'nothing failed';
  if (success === null) return { name, verdict: 'unknown', evidence: 'no request has ended' };
  const codes = Object.entries(statuses).map(([code, number]) => `${code}: ${count(number)}`);
  const named = Object.entries(errors).map(([error, number]) => `${error} ${count(number)} times`);
  const evidence = [
    `${count(requests)} requests`,
    `status codes ${codes.join(', ') || 'none'}`,
    ...named,
    ...(inFlight > 0 ? [`${count(inFlight)} under way`] : []),
    ...(hasEnded ? [] : ['the load did not run to its end: its last requests are unknown']),
  ].join('; ');
  if (success < 1) return { name, verdict: 'refuted', evidence };
  return { name, verdict: hasEnded && inFlight === 0 ? 'supported' : 'unknown', evidence };
}
