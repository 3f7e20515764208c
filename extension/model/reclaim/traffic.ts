import { createRandom } from '../statistics/random.ts';
import type { ReclaimPlan } from './plan.ts';
import type { ReplayedRequest } from './replay.ts';
import { zipfSampler } from './zipf.ts';

/** A request of the load. */
export interface DueRequest {
  /** From 0, in the order of the due times. */
  number: number;
  /** When it is to be sent, whatever became of the others, ms since the first one. */
  dueMs: number;
  /** Names the resource: letters and digits. */
  key: string;
  /** Of its body, before content coding. */
  bytes: number;
}

type TrafficPlan = Pick<ReclaimPlan, 'traffic' | 'rateHz' | 'timeMs' | 'payloadBytes' | 'seed'>;

/** Requests that a plan sends, if nothing stops it. */
export function plannedRequests({ traffic, rateHz, timeMs }: TrafficPlan): number {
  if (traffic.kind === 'replay') return traffic.planned;
  // 0.1 s of 10 a second is one, whatever binary fractions make of it.
  return Math.max(1, Math.floor((timeMs * rateHz) / 1000 + 1e-9));
}

/**
 * The requests of a plan in the order of their due times. The same plan gives the same ones. `replay` is what a replay sends
 * again, and is not looked at otherwise.
 */
export function* trafficOf(
  plan: TrafficPlan,
  replay: readonly ReplayedRequest[] = [],
): Generator<DueRequest, void> {
  if (plan.traffic.kind === 'replay') {
    for (const [number, { dueMs, key, bytes }] of replay.entries())
      yield { number, dueMs, key, bytes: plan.payloadBytes ?? bytes ?? 0 };
    return;
  }
  const keyOf = keysOf(plan);
  const requests = plannedRequests(plan);
  for (let number = 0; number < requests; number++)
    yield {
      number,
      dueMs: (number * 1000) / plan.rateHz,
      key: keyOf(number),
      bytes: plan.payloadBytes ?? 0,
    };
}

function keysOf({ traffic, seed }: TrafficPlan): (number: number) => string {
  if (traffic.kind !== 'zipf') return (number) => `n${number}`;
  const rank = zipfSampler(traffic.skew, traffic.population, createRandom(seed));
  return () => `z${rank()}`;
}

/** Where the origin serves a request's resource. */
export function itemPath(
  { coding, originDelayMs }: Pick<ReclaimPlan, 'coding' | 'originDelayMs'>,
  { key, bytes }: Pick<DueRequest, 'key' | 'bytes'>,
): string {
  return `/reclaim/items/${key}?bytes=${bytes}&coding=${coding}&delay=${originDelayMs}`;
}
