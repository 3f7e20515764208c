import type { LoadReport } from './report.ts';

/** A load test of the BBC report. Latencies in ms. */
export type PublishedLoad = { title: string } & Pick<
  LoadReport,
  | 'requests'
  | 'rateHz'
  | 'throughputHz'
  | 'totalMs'
  | 'attackMs'
  | 'waitMs'
  | 'latencies'
  | 'bytesIn'
  | 'success'
>;

const common = { rateHz: 425, success: 1 };

/**
 * What "Test Results: cache limit and reclaim" (BBC Belfrage, May 2020) reports: vegeta against a cache of 36,000 entries,
 * least recently written, reclaim ratio 0.3, every request for a new key, on its own machines. For context: its values are
 * shown beside our rows and not compared with them one by one.
 */
export const publishedLoads: readonly PublishedLoad[] = [
  {
    ...common,
    title: '1200 s, 1 KB',
    requests: 510_000,
    throughputHz: 425,
    totalMs: 1_199_999.891_563,
    attackMs: 1_199_997.583_735,
    waitMs: 2.307_828,
    latencies: { mean: 2.521_708, p50: 2.338_36, p95: 3.331_595, p99: 5.818_934, max: 188.062_311 },
    bytesIn: 522_240_000,
  },
  {
    ...common,
    title: '240 s, 100 KB',
    requests: 102_000,
    throughputHz: 425,
    totalMs: 240_002.820_888,
    attackMs: 239_997.694_43,
    waitMs: 5.126_458,
    latencies: {
      mean: 20.034_503,
      p50: 5.107_651,
      p95: 47.022_381,
      p99: 492.909_593,
      max: 1615.765_821,
    },
    bytesIn: 10_444_800_000,
  },
  {
    ...common,
    title: '130 s, 300 KB',
    requests: 55_250,
    throughputHz: 424.96,
    totalMs: 130_010.713_183,
    attackMs: 129_999.099_338,
    waitMs: 11.613_845,
    latencies: {
      mean: 15.452_684,
      p50: 12.770_82,
      p95: 22.946_067,
      p99: 80.542_584,
      max: 260.710_218,
    },
    bytesIn: 16_972_800_000,
  },
];

/** The report's replay: 30 minutes of 50 % of the traffic, about 500 requests a second, 100 KB gzip. */
export const publishedReplay = {
  requests: 900_000,
  hitRate: 0.34,
  responseMs: { low: 8.9, high: 18.9 },
} as const;

/** States of Erlang's microstate accounting, in the order of the report's table. */
export const accountingStates: readonly string[] =
  'alloc aux bif busy_wait check_io emulator ets gc gc_full nif other port send sleep timers'.split(
    ' ',
  );

/** The report's table of where time went during one minute of the replay: percent of each thread type's time. */
export const publishedAccounting: readonly { thread: string; percent: readonly number[] }[] = [
  { thread: 'dirty_cpu_sche', percent: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 0] },
  { thread: 'dirty_io_sched', percent: [0, 0, 0, 0.07, 0, 0, 0, 0, 0, 0, 0, 0, 0, 99.92, 0] },
  { thread: 'poll', percent: [0.09, 0, 0, 0, 1.62, 0, 0, 0, 0, 0, 0, 0, 0, 98.29, 0] },
  {
    thread: 'scheduler',
    percent: [
      4.83, 0.46, 4.32, 5.55, 0.96, 13.79, 2.53, 4.24, 0.61, 51.74, 0.87, 2.18, 1.04, 6.83, 0.03,
    ],
  },
];
