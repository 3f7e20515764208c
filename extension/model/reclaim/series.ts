import { knownSum } from '../extremes.ts';
import type { LinePoint } from '../statistics/downsample.ts';
import { quantileMs } from './histogram.ts';
import { cpuMs } from './usage.ts';
import type { ReclaimWindow } from './window.ts';

/** One line of a chart against time. x: s since the first request was due. */
export interface TimeSeries {
  name: string;
  points: LinePoint[];
}

/** The series of one chart: the value of each for a window; null: unknown. */
export type SeriesOf = Record<string, (window: ReclaimWindow) => number | null>;

/** Each series over time. Series without any known value and windows of length 0, before the load, are left out. */
export function timeSeries(windows: readonly ReclaimWindow[], seriesOf: SeriesOf): TimeSeries[] {
  const own = windows.filter(({ spanMs }) => spanMs > 0);
  return Object.entries(seriesOf)
    .map(([name, value]) => ({
      name,
      points: own.map((window) => ({ x: window.atMs / 1000, y: value(window) })),
    }))
    .filter(({ points }) => points.some(({ y }) => y !== null));
}

/** A shorter window, at the end of a run, has too few events for a rate. ms. */
const shortestSpanMs = 250;

/** Events per second of a window; null when their number is unknown or the window is too short. */
function rate({ spanMs }: ReclaimWindow, count: number | null): number | null {
  return count === null || spanMs < shortestSpanMs ? null : (count / spanMs) * 1000;
}

const mebibyte = 1024 ** 2;

function inMebibytes(bytes: number | null): number | null {
  return bytes === null ? null : bytes / mebibyte;
}

/** The series of every chart of these windows, by the name of the chart. */
export function reclaimSeries(windows: readonly ReclaimWindow[]) {
  const systems = windows.map(({ system }) => system);
  const processes = new Set(systems.flatMap((system) => system.processes.map(({ type }) => type)));
  const threads = new Set(systems.flatMap((system) => system.threads.map(({ type }) => type)));
  const hasFailed = windows.some(({ load }) => load.failed > 0);
  const hasDropped = windows.some(({ load }) => load.dropped > 0);
  return {
    /** From the due time to the end of the answer, ms. */
    latency: {
      median: ({ load }) => quantileMs(load.latency, 0.5),
      '95 %': ({ load }) => quantileMs(load.latency, 0.95),
      '99 %': ({ load }) => quantileMs(load.latency, 0.99),
      longest: ({ load }) => load.latency.maxMs,
    },
    /** Proportional memory of each process type, MiB, largest first. */
    memory: byGreatest(windows, processes, (type) => ({ system }) => {
      const process = system.processes.find((each) => each.type === type);
      return inMebibytes(process?.pssBytes ?? null);
    }),
    entries: {
      'maximum in the interval': ({ system }) => system.mostEntries,
      'at the end of the interval': ({ system }) => system.entries,
    },
    /** MiB. */
    bytes: {
      'maximum in the interval': ({ system }) => inMebibytes(system.mostBytes),
      'at the end of the interval': ({ system }) => inMebibytes(system.bytes),
    },
    /** Requests per second. */
    rate: {
      sent: (window) => rate(window, window.load.sent),
      answered: (window) => rate(window, window.load.answered),
      'from the cache': (window) => rate(window, window.load.hits),
      // Rare events: no line at 0 in a run without any.
      failed: (window) => (hasFailed ? rate(window, window.load.failed) : null),
      dropped: (window) => (hasDropped ? rate(window, window.load.dropped) : null),
    },
    /** Processor time of each process type, percent of one core, largest first. An idle type has 0. */
    cpu: byGreatest(windows, threads, (type) => ({ system, spanMs }) => {
      const own = system.threads.filter((thread) => thread.type === type);
      return spanMs < shortestSpanMs ? null : (100 * cpuMs(own)) / spanMs;
    }),
    /** Send delay, ms. */
    lateness: {
      median: ({ load }) => quantileMs(load.lateness, 0.5),
      '99 %': ({ load }) => quantileMs(load.lateness, 0.99),
      longest: ({ load }) => load.lateness.maxMs,
    },
    /** Delay of the origin's event loop, ms. */
    'event-loop': {
      median: ({ system }) => system.eventLoop?.p50Ms ?? null,
      '99 %': ({ system }) => system.eventLoop?.p99Ms ?? null,
      longest: ({ system }) => system.eventLoop?.maxMs ?? null,
    },
    /** Device throughput, MiB per second. */
    device: {
      read: (window) => rate(window, inMebibytes(window.system.device?.readBytes ?? null)),
      written: (window) => rate(window, inMebibytes(window.system.device?.writtenBytes ?? null)),
    },
  } satisfies Record<string, SeriesOf>;
}

/** Further lines, the lowest, are drawn as one: a reader could not tell them apart. */
const mostTypes = 6;

function byGreatest(
  windows: readonly ReclaimWindow[],
  names: ReadonlySet<string>,
  of: (name: string) => (window: ReclaimWindow) => number | null,
): SeriesOf {
  const own = windows.filter(({ spanMs }) => spanMs > 0);
  const mostOf = (name: string) =>
    own.reduce((most, window) => Math.max(most, of(name)(window) ?? 0), 0);
  const greatest = new Map([...names].map((name) => [name, mostOf(name)]));
  const most = (name: string) => greatest.get(name) ?? 0;
  const sorted = [...names].toSorted((one, other) => most(other) - most(one));
  const isMany = sorted.length > mostTypes;
  const shown = isMany ? sorted.slice(0, mostTypes - 1) : sorted;
  const rest = sorted.slice(shown.length).map(of);
  const others = (window: ReclaimWindow) => knownSum(rest.map((value) => value(window)));
  return Object.fromEntries([
    ...shown.map((name) => [name, of(name)]),
    ...(isMany ? [[`${rest.length} others`, others]] : []),
  ]);
}
