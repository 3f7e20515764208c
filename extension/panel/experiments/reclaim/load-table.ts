import {
  byteSize,
  count,
  digits,
  milliseconds,
  percent,
  seconds,
  unknownText,
} from '@cachescope/model/quantity.ts';
import { type PublishedLoad, publishedLoads } from '@cachescope/model/reclaim/history.ts';
import type { EvictedEntry } from '@cachescope/model/reclaim/eviction-pass.ts';
import type { Latencies, LoadReport } from '@cachescope/model/reclaim/report.ts';
import { html, type TemplateResult } from 'lit';
import { plainTable } from '../../charts/plain-table.ts';

const titles = [
  'Load',
  'Requests',
  'Rate',
  'Throughput',
  'Duration',
  'Mean',
  '50 %',
  '95 %',
  '99 %',
  'Longest',
  'Bytes in',
  'Success',
];

/**
 * The load with Vegeta's metric names, the same from the time of sending, and the values of BBC's Belfrage cache-limit
 * report (2020).
 */
export function loadTable(report: LoadReport): TemplateResult {
  const { requests, rateHz, throughputHz, totalMs, bytesIn, success } = report;
  const common = [count(requests), digits(rateHz), digits(throughputHz), seconds(totalMs)];
  const end = [byteSize(bytesIn), percent(success)];
  return plainTable(
    {
      label: 'The load, with Vegeta’s metric names',
      titles,
      caption:
        'Rates are per second. Published rows are from BBC’s Belfrage cache-limit report (2020): another cache, on other machines.',
    },
    [
      ['from the due time', ...common, ...latencyCells(report.latencies), ...end],
      ['from the sending', ...common, ...latencyCells(report.service), ...end],
      ['send delay', '', '', '', '', ...latencyCells(report.lateness), '', ''],
      ...publishedLoads.map(publishedRow),
    ],
  );
}

function latencyCells({ mean, p50, p95, p99, max }: Latencies): string[] {
  return [mean, p50, p95, p99, max].map(milliseconds);
}

function publishedRow(load: PublishedLoad): string[] {
  const { title, requests, rateHz, throughputHz, totalMs, latencies, bytesIn, success } = load;
  return [
    `${title}, published`,
    count(requests),
    digits(rateHz),
    digits(throughputHz),
    seconds(totalMs),
    ...latencyCells(latencies),
    byteSize(bytesIn),
    percent(success),
  ];
}

/** A sample of the entries evicted in the last eviction pass. */
export function evictedTable(entries: readonly EvictedEntry[]): TemplateResult {
  return plainTable(
    {
      label: 'Evicted entries',
      titles: ['Key', 'Size', 'Written before', 'Last used before', 'Times read'],
      caption:
        'A sample of the entries evicted in the last eviction pass, evenly over their order.',
    },
    entries.map(({ key, bytes, ageMs, idleMs, uses }) => [
      html`<code>${key}</code>`,
      byteSize(bytes),
      seconds(ageMs),
      seconds(idleMs),
      uses === null ? unknownText : count(uses),
    ]),
  );
}
