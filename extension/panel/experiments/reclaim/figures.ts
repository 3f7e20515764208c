import {
  byteSize,
  count,
  counted,
  digits,
  milliseconds,
  percent,
} from '@cachescope/model/quantity.ts';
import { passCount, type EvictionPass } from '@cachescope/model/reclaim/eviction-pass.ts';
import type { ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import { reclaimSeries, timeSeries } from '@cachescope/model/reclaim/series.ts';
import type { ReclaimSummary } from '@cachescope/model/reclaim/summary.ts';
import { type ReclaimUsage, systemMemory } from '@cachescope/model/reclaim/usage.ts';
import type { ReclaimWindow } from '@cachescope/model/reclaim/window.ts';
import { Chart } from 'chart.js';
import type { Figure } from '../../charts/figure.ts';
import { type ChartLimit, timeChart, type TimeChartOptions } from '../../charts/time-chart.ts';

const mebibyte = 1024 ** 2;

/** The data of a run's figures. */
export interface ReclaimFigureParts {
  plan: ReclaimPlan;
  windows: readonly ReclaimWindow[];
  passes: readonly EvictionPass[];
  summary: ReclaimSummary;
}

/** One figure's texts, by the name of its series, and how it is drawn. */
interface Wanted extends Omit<TimeChartOptions, 'marks' | 'markName'> {
  id: keyof ReturnType<typeof reclaimSeries>;
  title: string;
  caption: string;
}

/** The recorded values of a run against time; a chart without data is left out. */
export function reclaimFigures(parts: ReclaimFigureParts): Figure[] {
  const { windows, passes } = parts;
  const marks = passes.map(({ atMs }) => atMs / 1000);
  const series = reclaimSeries(windows);
  return wantedFigures(parts).flatMap(({ id, title, caption, ...options }): Figure[] => {
    const lines = timeSeries(windows, series[id]);
    if (lines.length === 0) return [];
    const draw: Figure['draw'] = (canvas) =>
      new Chart(canvas, timeChart(lines, { ...options, marks, markName: 'eviction pass' }));
    return [{ id: `reclaim-${id}`, title, caption, heightPx: 280, draw }];
  });
}

function wantedFigures({ plan, windows, passes, summary }: ReclaimFigureParts): Wanted[] {
  const { report, usage } = summary;
  const { p50, p99, max } = report.latencies;
  const cpuShare = usage.cpuShare === null ? 'an unknown share' : percent(usage.cpuShare);
  const hits = report.hitRate === null ? '' : ` Hit rate: ${percent(report.hitRate)}.`;
  return [
    {
      id: 'latency',
      title: 'Latency from the scheduled send time (ms)',
      caption: `Over the whole run: p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}, maximum ${milliseconds(max)}; each point is one sampling interval; the axis is logarithmic and shows no 0.`,
      axis: 'Latency, ms',
      isLogarithmic: true,
    },
    {
      id: 'memory',
      title: 'Memory by type of process (MiB)',
      caption: memoryCaption(usage, windows),
      axis: 'Proportional memory, MiB',
    },
    {
      id: 'entries',
      title: 'Entries in the cache (count)',
      caption: `${occupancyCaption(passes)}${seldomCaption(windows)}`,
      axis: 'Entries',
      limit: plan.limitEntries === null ? null : { name: 'limit', value: plan.limitEntries },
    },
    {
      id: 'bytes',
      title: 'Bytes in the cache (MiB)',
      caption: `At most ${byteSize(usage.bytes.most)}, where ${byteSize(plan.limitBytes)} is the limit${ownCount(plan)}.`,
      axis: 'Stored, MiB',
      limit: bytesLimit(plan, usage),
    },
    {
      id: 'rate',
      title: 'Requests and responses (1/s)',
      caption: `${percent(report.achieved)} of the requests were sent; ${count(report.requests)} in all, ${digits(report.rateHz)} a second.${hits}`,
      axis: 'Each second',
    },
    {
      id: 'cpu',
      title: 'Processor time by type of process (% of one core)',
      caption: `The system under load took ${cpuShare} of one core on average.`,
      axis: '% of one core',
    },
    {
      id: 'lateness',
      title: 'Send delay of requests (ms)',
      caption: `Requests were sent ${milliseconds(report.lateness.p50)} after their scheduled time (median). The generator adds this delay to each latency. The axis is logarithmic and shows no 0.`,
      axis: 'Send delay, ms',
      isLogarithmic: true,
    },
    {
      id: 'event-loop',
      title: 'Delay of the origin’s event loop (ms)',
      caption: `At most ${milliseconds(usage.eventLoop.maxMs)}: the time that a request may wait before the origin handles it. The axis is logarithmic and shows no 0.`,
      axis: 'Delay, ms',
      isLogarithmic: true,
    },
    {
      id: 'device',
      title: 'Reads and writes of the cache’s device (MiB/s)',
      caption: 'From the counters of the device.',
      axis: 'MiB/s',
    },
  ];
}

function memoryCaption(
  { memory: { first, most, last } }: ReclaimUsage,
  windows: readonly ReclaimWindow[],
): string {
  const isSeldom = windows.some((window) => window.spanMs > 0 && systemMemory(window) === null);
  const seldom = isSeldom ? ' It is sampled so that the cost stays a small share of a core.' : '';
  return `The whole system under load: ${byteSize(first)} at first, ${byteSize(most)} at most, ${byteSize(last)} at the end. Shared pages count proportionally (PSS).${seldom}`;
}

function occupancyCaption(passes: readonly EvictionPass[]): string {
  const [first] = passes;
  if (!first) return 'No eviction pass was observed.';
  const evicted = passes.reduce((sum, pass) => sum + pass.evicted, 0);
  const afterS = digits(first.atMs / 1000);
  if (first.how === 'observed')
    return `Entries were evicted in ${counted(passCount(passes), 'sampling interval')}, first after ${afterS} s; at least ${count(evicted)} entries in total. An interval may hold several passes.`;
  return `The first of ${count(passCount(passes))} eviction passes came after ${afterS} s; ${count(evicted)} entries were evicted in total.`;
}

/** Reading the cache directory is expensive: a large one is not read in every window. */
function seldomCaption(windows: readonly ReclaimWindow[]): string {
  const own = windows.filter(({ spanMs }) => spanMs > 0);
  const known = own.filter(({ system }) => system.entries !== null).length;
  if (known === 0 || known === own.length) return '';
  return ` The cache directory was read in ${count(known)} of ${count(own.length)} intervals, to limit the cost.`;
}

/** Chromium counts more bytes than its files contain. */
function ownCount({ system }: ReclaimPlan): string {
  return system === 'chromium'
    ? '; Chromium rounds each entry up, so its files stay below what it counts'
    : '';
}

/** A limit far above the stored bytes is left out, because it would flatten the line. */
function bytesLimit({ limitBytes }: ReclaimPlan, { bytes }: ReclaimUsage): ChartLimit | null {
  const most = bytes.most ?? 0;
  return most * 3 < limitBytes ? null : { name: 'limit', value: limitBytes / mebibyte };
}
