import {
  byteSize,
  count,
  digits,
  milliseconds,
  percent,
  seconds,
  unknownText,
} from '@cachescope/model/quantity.ts';
import type { EvictedEntry } from '@cachescope/model/reclaim/eviction-pass.ts';
import {
  accountingStates,
  publishedAccounting,
  type PublishedLoad,
  publishedLoads,
} from '@cachescope/model/reclaim/history.ts';
import type { Latencies, LoadReport } from '@cachescope/model/reclaim/report.ts';
import type { CpuShareLine } from '@cachescope/model/reclaim/run.ts';
import type { ThreadStates } from '@cachescope/model/reclaim/usage.ts';
import { html, type TemplateResult } from 'lit';
import { plainTable, table } from '../../charts/plain-table.ts';

const loadTitles = ['Load', 'Requests', 'Rate', 'Throughput', 'Duration'];
const latencyTitles = ['Mean', '50 %', '95 %', '99 %', 'Max'];

/**
 * The load with Vegeta's metric names, the same from the actual send time, and the values of BBC's Belfrage cache-limit
 * report (2020).
 */
export function loadTable(report: LoadReport): TemplateResult {
  return table(
    'The load, with Vegeta’s metric names',
    'Rates are per second. Published rows are from BBC’s Belfrage cache-limit report (2020): another cache, on other machines.',
    [...loadTitles, ...latencyTitles, 'Bytes in', 'Success'],
    0,
    [
      loadRow('from scheduled send time', report, report.latencies),
      loadRow('from actual send time', report, report.service),
      ['send delay', '', '', '', '', ...latencyCells(report.lateness), '', ''],
      ...publishedLoads.map((load) => loadRow(`${load.title}, published`, load, load.latencies)),
    ],
  );
}

function loadRow(
  name: string,
  load: Omit<PublishedLoad, 'title' | 'latencies'>,
  latencies: Latencies,
): string[] {
  const { requests, rateHz, throughputHz, totalMs, bytesIn, success } = load;
  const rates = [count(requests), digits(rateHz), digits(throughputHz), seconds(totalMs)];
  return [name, ...rates, ...latencyCells(latencies), byteSize(bytesIn), percent(success)];
}

function latencyCells({ mean, p50, p95, p99, max }: Latencies): string[] {
  return [mean, p50, p95, p99, max].map(milliseconds);
}

/** A sample of the entries evicted in the last eviction pass. */
export function evictedTable(entries: readonly EvictedEntry[]): TemplateResult {
  return table(
    'Evicted entries',
    'A sample of the entries evicted in the last eviction pass, evenly over their order.',
    ['Key', 'Size', 'Written before', 'Last used before', 'Times read'],
    0,
    entries.map(({ key, bytes, ageMs, idleMs, uses }) => [
      html`<code>${key}</code>`,
      byteSize(bytes),
      seconds(ageMs),
      seconds(idleMs),
      uses === null ? unknownText : count(uses),
    ]),
  );
}

const shareTitles = ['Program', 'Kernel', 'Waiting for a core', 'Seen waiting for a device'];

/** Time of each thread by state. */
export function threadTable(threads: readonly ThreadStates[]): TemplateResult {
  return table(
    'Processor time by thread and state',
    'Shares of one core over the whole run; the rest of the time a thread slept. The last column is the share of samples.',
    ['Process', 'Thread', 'Threads', ...shareTitles],
    2,
    threads.map((each) => {
      const shares = [each.userShare, each.systemShare, each.waitingShare, each.deviceShare];
      return [each.type, each.thread, count(each.threads), ...shares.map(tenths)];
    }),
  );
}

/** Functions of the origin's thread by processor time while it was profiled. */
export function profileTable({ shares, spanMs }: CpuShareLine): TemplateResult {
  return plainTable(
    {
      label: 'The origin’s processor time by module',
      titles: ['Module', 'Share', 'Functions with the most time'],
      caption: `The origin’s thread for ${seconds(spanMs)}, by V8’s sampling profiler: self time of the functions.`,
      words: [2],
    },
    shares.map(({ module, share, functions }) => {
      const named = functions.filter((each) => each.share >= leastShare);
      const words = named.map((each) => `${each.name} ${tenths(each.share)}`);
      return [module, tenths(share), words.join(', ')];
    }),
  );
}

/** The accounting of one minute in BBC's Belfrage cache-limit report (2020). */
export function publishedAccountingTable(): TemplateResult {
  return table(
    'Published microstate accounting',
    'Share of the time of each kind of thread in one minute of the replay in BBC’s Belfrage cache-limit report (2020): Erlang’s microstate accounting, in percent.',
    ['Threads', ...accountingStates],
    0,
    publishedAccounting.map(({ thread, percent: shares }) => [thread, ...shares.map(digits)]),
  );
}

/** Smaller shares are shown as "below 0.1 %". */
const leastShare = 0.001;

/** A share in tenths of a percent. */
function tenths(share: number | null): string {
  if (share === null) return unknownText;
  return share > 0 && share < leastShare ? 'below 0.1 %' : percent(Math.round(1000 * share) / 1000);
}
