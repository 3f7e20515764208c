import { csvText } from '@cachescope/model/csv.ts';
import { digits, percent } from '@cachescope/model/quantity.ts';
import type { ProfileResult } from '@cachescope/model/sweep/profile-result.ts';
import type { Tail } from '@cachescope/model/sweep/read-tail.ts';
import { seriesName } from '@cachescope/model/sweep/series.ts';
import { plainTable } from '../../results/plain-table.ts';
import { withInterval } from './text-table.ts';

/** Read times with the latencies of a profile beside the device's own, ms. */
export function profileTable({ name, device, reads }: ProfileResult): string {
  const titles = [name, 'median', 'p95', 'p99', 'p95 predicted', 'error'];
  const rows = reads.map((read) => [
    seriesName(read),
    withInterval(read.medianMs, read.lowMs, read.highMs),
    ...tailCells(read.tail),
    digits(read.predictedP95Ms),
    percent(read.errorShare),
  ]);
  const first = ['device read', digits(device.medianMs), ...tailCells(device), '', ''];
  return plainTable(titles, 1, [first, ...rows]);
}

function tailCells({ p95Ms, p99Ms }: Tail): string[] {
  return [digits(p95Ms), digits(p99Ms)];
}

/** One row for the device and one for each series. An empty field: unknown, or not of the device. */
export function profileCsv({ name, device, reads }: ProfileResult): string {
  const header = [
    'profile',
    'of',
    'reads',
    'median_ms',
    'p95_ms',
    'p99_ms',
    'p95_predicted_ms',
    'error_share',
  ];
  const rows = reads.map((read) => {
    const { samples, tail, predictedP95Ms, errorShare } = read;
    const times = [tail.medianMs, tail.p95Ms, tail.p99Ms];
    return [name, seriesName(read), samples, ...times, predictedP95Ms, errorShare];
  });
  const times = [device.medianMs, device.p95Ms, device.p99Ms];
  return csvText(header, [[name, 'device read', device.reads, ...times, '', ''], ...rows]);
}
