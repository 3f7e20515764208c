import type { FillDistribution, FillMeasures } from './measures.ts';

/** The measures that the nginx tempfiles benchmark published of a system. */
type PublishedMeasures = Omit<
  FillMeasures,
  'files' | 'firstByteMs' | 'byteWaits' | 'durations' | 'flagged'
> & { firstByteMs: Pick<FillDistribution, 'mean'> };

/** A row of the benchmark's table. */
export interface PublishedRow {
  suite: string;
  system: string;
  measures: PublishedMeasures;
}

/**
 * Results that the benchmark published, with 100 workers for 30 s and files of 30 MiB, on an unnamed machine. For context: they
 * are shown beside our rows and not compared with them one by one. Its last four rows are headed "1s" there by mistake.
 * Columns: suite, system; requests, payload bytes and Mbit/s at the origin, the same of the readers; byte wait and first byte, s;
 * hit rate, %.
 */
export const publishedRows: readonly PublishedRow[] = `
  full nginx-pass 172 5410652160 1426.52 5707 179526696960 47329.51 0.31 0.09 96.99
  full nginx-lock 55 1730150400 455.7 5181 162980167680 42925.05 0.34 0.1 98.94
  full nginx-patched-lock 56 1761607680 464.75 5141 161721876480 42662.65 0.34 0.1 98.91
  full nginx-tempfiles 60 1887436800 499.12 5198 163510173227 43237.53 0.33 0.09 98.85
  1s nginx-pass 917 28846325760 7405.9 2020 63543705600 16312.78 0.86 0.11 54.6
  1s nginx-lock 30 943718400 242.76 2929 92138373120 23700.89 0.97 0.9 98.98
  1s nginx-patched-lock 30 943718400 243.03 2948 92736061440 23880.69 0.97 0.9 98.98
  1s nginx-tempfiles 30 943718400 245.29 3000 94371833907 24527.75 0.5 0.02 99
  3s nginx-pass 915 28783411200 7026.24 946 29758586880 7263.74 1.65 0.19 3.28
  3s nginx-lock 10 314572800 81.3 1000 31457280000 8129.4 3 2.92 99
  3s nginx-patched-lock 10 314572800 81.14 1000 31457280000 8113.45 2.99 2.89 99
  3s nginx-tempfiles 10 314572800 82.64 1000 31457280000 8262.88 1.49 0.02 99
`
  .trim()
  .split('\n')
  .map((line) => {
    const [suite = '', system = '', ...values] = line.trim().split(' ');
    const [originRequests = 0, originBytes = 0, originMbps = 0, ...own] = values.map(Number);
    const [requests = 0, bytes = 0, mbps = 0, byteWaitS = 0, firstByteS = 0, percent = 0] = own;
    const origin = { originRequests, originBytes, originMbps };
    const times = { byteWaitMs: 1000 * byteWaitS, firstByteMs: { mean: 1000 * firstByteS } };
    const measures = { ...origin, requests, bytes, mbps, ...times, hitRate: percent / 100 };
    return { suite, system, measures };
  });

/** The rows that the benchmark published for a suite; empty when it published none. */
export function publishedFor(suite: string): PublishedRow[] {
  return publishedRows.filter((row) => row.suite === suite);
}
