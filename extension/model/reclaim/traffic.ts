import { createRandom } from '../statistics/random.ts';
import type { ReclaimPlan } from './plan.ts';
import type { ReplayedRequest } from './recorded-request.ts';
import { zipfSampler } from './zipf.ts';

/** A request of the load. */
export interface DueRequest {
  /** From 0, in order of due time. */
  number: number;
  /** Due time, ms since the first request; independent of the other requests. */
  dueMs: number;
  /** Name of the resource: letters and digits. */
  key: string;
  /** Bytes of the body before content coding. */
  bytes: number;
}

type TrafficPlan = Pick<ReclaimPlan, 'traffic' | 'rateHz' | 'timeMs' | 'payloadBytes' | 'seed'>;

/** Number of requests of a complete run. */
export function plannedRequests({ traffic, rateHz, timeMs }: TrafficPlan): number {
  if (traffic.kind === 'replay') return traffic.planned;
  // 0.1 s at 10 per second is one request, despite binary fractions.
  return Math.max(1, Math.floor((timeMs * rateHz) / 1000 + 1e-9));
}

/**
 * The requests of a plan in order of due time. Equal plans give equal requests. `replay` is used only when the plan replays
 * a log.
 */
export function* trafficOf(
  plan: TrafficPlan,
  replay: readonly ReplayedRequest[] = [],
): Generator<DueRequest, void> {
  let number = 0;
  for (const request of plan.traffic.kind === 'replay' ? replay : generated(plan))
    yield { ...request, number: number++, bytes: plan.payloadBytes ?? request.bytes ?? 0 };
}

function* generated(plan: TrafficPlan): Generator<ReplayedRequest, void> {
  const { traffic, seed, rateHz } = plan;
  const rank =
    traffic.kind === 'zipf' && zipfSampler(traffic.skew, traffic.population, createRandom(seed));
  const requests = plannedRequests(plan);
  for (let number = 0; number < requests; number++) {
    const key = rank ? `z${rank()}` : `n${number}`;
    yield { dueMs: (number * 1000) / rateHz, key, bytes: null };
  }
}

/** Where the origin serves a request's resource. */
export function itemPath(
  { coding, originDelayMs }: Pick<ReclaimPlan, 'coding' | 'originDelayMs'>,
  { key, bytes }: Pick<DueRequest, 'key' | 'bytes'>,
): string {
  return `/reclaim/items/${key}?bytes=${bytes}&coding=${coding}&delay=${originDelayMs}`;
}
