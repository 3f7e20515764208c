import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { quantile } from '@cachescope/model/statistics/quantile.ts';
import type { EventLoopReading } from '@cachescope/model/reclaim/window.ts';

/** How often the loop is asked to be on time, ms. */
const everyMs = 10;

/** Watches the event loop of the thread that it is started in. */
export interface EventLoopProbe {
  /** How late the loop came to its timers since the take before; null before any timer was due. */
  take(): EventLoopReading | null;
  stop(): void;
}

/**
 * Starts to watch the event loop of this thread: a timer each 10 ms. (`monitorEventLoopDelay` forgets at each reset when
 * it last ran, and with it a delay that is under way just then.) While a CPU profile is taken, its signals end waits early,
 * and `busy` is too high.
 */
export function startEventLoopProbe(): EventLoopProbe {
  let delays: number[] = [];
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  let ranAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    delays.push(Math.max(0, now - ranAt - everyMs));
    ranAt = now;
  }, everyMs);
  timer.unref();
  return {
    take() {
      const now = performance.eventLoopUtilization();
      const { utilization: busy } = performance.eventLoopUtilization(now, last);
      last = now;
      const taken = delays;
      delays = [];
      const [p50Ms, p99Ms, maxMs] = [
        quantile(taken, 0.5),
        quantile(taken, 0.99),
        quantile(taken, 1),
      ];
      if (p50Ms === null || p99Ms === null || maxMs === null) return null;
      return { p50Ms, p99Ms, maxMs, busy };
    },
    stop: () => clearInterval(timer),
  };
}
