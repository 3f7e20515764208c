import { type PublishedLoad, publishedLoads } from './history.ts';
import type { Latencies, LoadReport } from './report.ts';

/**
 * A time in Go's duration format, which vegeta uses: `19m59.998s`, `2.308ms`, `188.1µs`. Below a second it has four
 * digits, which is the precision of the histogram.
 */
export function goDuration(ms: number | null): string {
  if (ms === null) return '-';
  if (ms === 0) return '0s';
  if (ms < 1) return `${fourDigits(ms * 1000)}µs`;
  if (ms < 999.95) return `${fourDigits(ms)}ms`;
  // Rounded first, so that the seconds never show 60.000.
  const thousandths = Math.round(ms);
  const hours = Math.floor(thousandths / 3_600_000);
  const minutes = Math.floor(thousandths / 60_000) % 60;
  const seconds = (thousandths % 60_000) / 1000;
  const hour = hours > 0 ? `${hours}h` : '';
  const minute = hours > 0 || minutes > 0 ? `${minutes}m` : '';
  return `${hour}${minute}${Number(seconds.toFixed(3))}s`;
}

function fourDigits(value: number): number {
  return Number(value.toPrecision(4));
}

function twoDigits(value: number | null): string {
  return value === null ? '-' : value.toFixed(2);
}

function line(name: string, parts: string, values: readonly string[]): string {
  return `${name.padEnd(12)} ${`[${parts}]`.padEnd(22)} ${values.join(', ')}`;
}

function latencyLine(name: string, { mean, p50, p95, p99, max }: Latencies): string {
  return line(name, 'mean, 50, 95, 99, max', [mean, p50, p95, p99, max].map(goDuration));
}

/** The lines that the published loads have as well, by name. */
function commonLines(load: Omit<PublishedLoad, 'title'>) {
  const { requests, rateHz, throughputHz, totalMs, attackMs, waitMs, bytesIn, success } = load;
  const mean = bytesIn === null || requests === 0 ? null : bytesIn / requests;
  const rates = [rateHz, throughputHz].map(twoDigits);
  return {
    load: [
      line('Requests', 'total, rate, throughput', [`${requests}`, ...rates]),
      line('Duration', 'total, attack, wait', [totalMs, attackMs, waitMs].map(goDuration)),
      latencyLine('Latencies', load.latencies),
    ],
    bytesIn: line('Bytes In', 'total, mean', [`${bytesIn ?? '-'}`, twoDigits(mean)]),
    success: line('Success', 'ratio', [percent(success)]),
  };
}

/** A load in vegeta's terms and layout, and below it the values that are specific to an open loop. */
export function vegetaText(report: LoadReport): string[] {
  const { load, bytesIn, success } = commonLines(report);
  const statuses = Object.entries(report.statuses).map(([code, count]) => `${code}:${count}`);
  const errors = Object.entries(report.errors).map(([error, count]) => `${error}: ${count}`);
  return [
    ...load,
    bytesIn,
    line('Bytes Out', 'total, mean', ['0', '0.00']),
    success,
    `${line('Status Codes', 'code:count', [])}${statuses.join('  ')}`,
    ...(errors.length === 0 ? [] : ['Error Set:', ...errors]),
    '',
    latencyLine('From sending', report.service),
    latencyLine('Send delay', report.lateness),
    line('Achieved', 'of the requests planned', [
      percent(report.achieved),
      ...(report.dropped > 0 ? [`${report.dropped} not sent`] : []),
      ...(report.limitedBy === null ? [] : [`limited by the ${report.limitedBy}`]),
    ]),
    line('Hit rate', 'of the cache', [percent(report.hitRate)]),
  ];
}

/** `99.90%`; `100.00%` is shown only for a share of 1. */
function percent(share: number | null): string {
  if (share === null) return '-';
  const shown = (100 * share).toFixed(2);
  return `${shown === '100.00' && share < 1 ? '99.99' : shown}%`;
}

/** The published loads of the BBC Belfrage report, in the same layout. */
export function publishedText(): string[] {
  return publishedLoads.flatMap((published, place) => {
    const { load, bytesIn, success } = commonLines(published);
    const title = `${published.title}, 425 a second, every request for a new key (published)`;
    return [...(place > 0 ? [''] : []), title, ...load, bytesIn, success];
  });
}
