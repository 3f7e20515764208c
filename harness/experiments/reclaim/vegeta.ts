import { publishedLoads } from '@cachescope/model/reclaim/history.ts';
import type { Latencies, LoadReport } from '@cachescope/model/reclaim/report.ts';

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
  return `${hour}${minute}${trimmed(seconds)}s`;
}

function fourDigits(value: number): string {
  return `${Number(value.toPrecision(4))}`;
}

function trimmed(value: number): string {
  return `${Number(value.toFixed(3))}`;
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

/** A load in vegeta's terms and layout, and below it the values that are specific to an open loop. */
export function vegetaText(report: LoadReport): string[] {
  const { requests, rateHz, throughputHz, totalMs, attackMs, waitMs, bytesIn, success } = report;
  const statuses = Object.entries(report.statuses).map(([code, count]) => `${code}:${count}`);
  const errors = Object.entries(report.errors);
  const mean = bytesIn === null || requests === 0 ? null : bytesIn / requests;
  return [
    line('Requests', 'total, rate, throughput', [
      `${requests}`,
      twoDigits(rateHz),
      twoDigits(throughputHz),
    ]),
    line('Duration', 'total, attack, wait', [totalMs, attackMs, waitMs].map(goDuration)),
    latencyLine('Latencies', report.latencies),
    line('Bytes In', 'total, mean', [bytesIn === null ? '-' : `${bytesIn}`, twoDigits(mean)]),
    line('Bytes Out', 'total, mean', ['0', '0.00']),
    line('Success', 'ratio', [success === null ? '-' : percent(success)]),
    `${line('Status Codes', 'code:count', [])}${statuses.join('  ')}`,
    ...(errors.length === 0
      ? []
      : ['Error Set:', ...errors.map(([error, count]) => `${error}: ${count}`)]),
    '',
    latencyLine('From sending', report.service),
    latencyLine('Send delay', report.lateness),
    line('Achieved', 'of the requests planned', [
      percent(report.achieved),
      ...(report.dropped > 0 ? [`${report.dropped} not sent`] : []),
      ...(report.limitedBy === null ? [] : [`limited by the ${report.limitedBy}`]),
    ]),
    line('Hit rate', 'of the cache', [report.hitRate === null ? '-' : percent(report.hitRate)]),
  ];
}

/** `99.90%`; `100.00%` is shown only for a share of 1. */
function percent(share: number): string {
  const shown = (100 * share).toFixed(2);
  return `${shown === '100.00' && share < 1 ? '99.99' : shown}%`;
}

/** The published loads of the BBC Belfrage report, in the same layout. */
export function publishedText(): string[] {
  return publishedLoads.flatMap((load) => [
    `${load.title}, 425 a second, every request for a new key (published)`,
    line('Requests', 'total, rate, throughput', [
      `${load.requests}`,
      twoDigits(load.rateHz),
      twoDigits(load.throughputHz),
    ]),
    line(
      'Duration',
      'total, attack, wait',
      [load.totalMs, load.attackMs, load.waitMs].map(goDuration),
    ),
    latencyLine('Latencies', load.latencies),
    line('Bytes In', 'total, mean', [`${load.bytesIn}`, twoDigits(load.bytesIn / load.requests)]),
    line('Success', 'ratio', [percent(load.success)]),
    '',
  ]);
}
