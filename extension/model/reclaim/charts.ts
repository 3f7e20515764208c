import { type Chart, looks } from '../page/chart.ts';
import { count, digits } from '../quantity.ts';
import { greatest, least } from '../extremes.ts';
import type { EvictionPass } from './eviction-pass.ts';
import type { ReclaimPlan } from './plan.ts';
import { reclaimSeries, timeSeries } from './series.ts';
import { systemMemory } from './usage.ts';
import type { ReclaimWindow } from './window.ts';

const mebibyte = 1024 ** 2;

/** The texts of one chart, by the name of its series. */
interface Wanted {
  id: keyof ReturnType<typeof reclaimSeries>;
  title: string;
  caption: string;
  axis: string;
  limit?: { name: string; value: number } | null;
  isLogarithmic?: true;
}

/** The recorded values of a run against time; a chart without data is left out. */
export function reclaimCharts(
  plan: ReclaimPlan,
  windows: readonly ReclaimWindow[],
  passes: readonly EvictionPass[],
): Chart[] {
  const series = reclaimSeries(windows);
  const moments = { name: 'eviction pass', places: passes.map(({ atMs }) => atMs / 1000) };
  return wantedCharts(plan, windows).flatMap(({ id, title, caption, axis, ...wanted }): Chart[] => {
    const { limit = null, isLogarithmic } = wanted;
    const lines = timeSeries(windows, series[id]);
    if (lines.length === 0) return [];
    const times = lines.flatMap(({ points }) => points.map(({ x }) => x));
    return [
      {
        kind: 'lines',
        id: `reclaim-${id}`,
        title,
        caption,
        x: {
          title: 'Time since the first request was due, s',
          text: (s) => `${digits(s)} s`,
          range: [Math.min(0, least(times)), greatest(times)],
        },
        y: { title: axis, text: digits, ...(isLogarithmic && { isLogarithmic }) },
        lines: lines.map(({ name, points }, place) => ({
          label: name,
          look: looks[place % looks.length] ?? 'neutral',
          dash: place,
          points,
        })),
        moments,
        ...(limit && { limits: [limit] }),
      },
    ];
  });
}

const logarithmic = 'The axis is logarithmic and shows no 0.';

function wantedCharts(plan: ReclaimPlan, windows: readonly ReclaimWindow[]): Wanted[] {
  return [
    {
      id: 'latency',
      title: 'Latency from the scheduled send time (ms)',
      caption: `Each point is one sampling interval. ${logarithmic}`,
      axis: 'Latency, ms',
      isLogarithmic: true,
    },
    {
      id: 'memory',
      title: 'Memory by type of process (MiB)',
      caption: `Shared pages count proportionally (PSS).${memoryCaption(windows)}`,
      axis: 'Proportional memory, MiB',
    },
    {
      id: 'entries',
      title: 'Entries in the cache (count)',
      caption: `A vertical line is an eviction pass.${directoryCaption(windows)}`,
      axis: 'Entries',
      limit: plan.limitEntries === null ? null : { name: 'limit', value: plan.limitEntries },
    },
    {
      id: 'bytes',
      title: 'Bytes in the cache (MiB)',
      caption: bytesCaption(plan),
      axis: 'Stored, MiB',
      limit: bytesLimit(plan, windows),
    },
    {
      id: 'rate',
      title: 'Requests and responses (1/s)',
      caption: 'Requests are sent on schedule (open loop), whatever the responses do.',
      axis: 'Each second',
    },
    {
      id: 'cpu',
      title: 'Processor time by type of process (% of one core)',
      caption: 'Time in the program and in the kernel.',
      axis: '% of one core',
    },
    {
      id: 'lateness',
      title: 'Send delay of requests (ms)',
      caption: `How long after its scheduled time a request was sent: the generator adds this delay to each latency. ${logarithmic}`,
      axis: 'Send delay, ms',
      isLogarithmic: true,
    },
    {
      id: 'event-loop',
      title: 'Delay of the origin’s event loop (ms)',
      caption: `The time that a request may wait before the origin handles it. ${logarithmic}`,
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

function memoryCaption(windows: readonly ReclaimWindow[]): string {
  const isSeldom = windows.some((window) => window.spanMs > 0 && systemMemory(window) === null);
  return isSeldom ? ' It is sampled so that the cost stays a small share of a core.' : '';
}

/** Reading the cache directory is expensive: a large one is not read in every window. */
function directoryCaption(windows: readonly ReclaimWindow[]): string {
  const own = windows.filter(({ spanMs }) => spanMs > 0);
  const known = own.filter(({ system }) => system.entries !== null).length;
  if (known === 0 || known === own.length) return '';
  return ` The cache directory was read in ${count(known)} of ${count(own.length)} intervals, to limit the cost.`;
}

/** Chromium counts more bytes than its files contain. */
function bytesCaption({ system }: ReclaimPlan): string {
  return system === 'chromium'
    ? 'Chromium rounds each entry up, so its files stay below what it counts.'
    : 'Bodies and their overhead, as the store counts them.';
}

/** A limit far above the stored bytes is left out, because it would flatten the line. */
function bytesLimit({ limitBytes }: ReclaimPlan, windows: readonly ReclaimWindow[]) {
  const maxBytes = greatest(windows.map(({ system }) => system.mostBytes ?? 0));
  return maxBytes * 3 < limitBytes ? null : { name: 'limit', value: limitBytes / mebibyte };
}
