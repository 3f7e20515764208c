import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { quantile } from '@cachescope/model/statistics/quantile.ts';
import type { EventLoopReading } from '@cachescope/model/reclaim/window.ts';

/** Interval of the timer that measures the loop's delay, ms. */
const everyMs = 10;

/** Measures the event loop of the thread that it is started in. */
export interface EventLoopProbe {
  /** Delays of the loop's timers since the previous call; null before any timer was due. */
  take(): EventLoopReading | null;
  stop(): void;
}

/**
 * Starts to measure the event loop of this thread: a timer every 10 ms. (`monitorEventLoopDelay` forgets at each reset
 * when it last ran, and with it a delay that is in progress.) During a CPU profile the profiler's signals end waits
 * early, and `busy` is too high.
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
