import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@cachescope/model/random.ts';
import { designOf } from '@cachescope/model/statistics/design.ts';
import { differenceOfLaunches } from '@cachescope/model/statistics/median-difference.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import type { Reading } from '@cachescope/model/statistics/readings.ts';
import { grantedExtension } from '../../test/granted-extension.ts';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { findChromium } from '../../harness/browser/find.ts';
import { withTimeLimit } from '../../harness/time-limit.ts';
import {
  type BenchPlaces,
  launchObserved,
  type Observer,
  type ObservedBrowser,
  observers,
} from './observer.ts';
import { startTaskServer, type Task, type TaskServer } from './task-server.ts';

/** Rounds that are begun; each holds every observer once, in random order, so that a drift of the machine falls on all. */
const mostRounds = 12;
/** No round is begun that would probably end after this time, ms. */
const limitMs = 240_000;
/** Below this an interval says nothing; below 10 it is somewhat too narrow (statistics/median-interval.ts). */
const fewestRounds = 5;
/** One launch with its tasks may take this long, ms. */
const launchLimitMs = 60_000;

const measures = ['300 resources, cold', '300 resources, warm', 'read of 1 KB', 'read of 1 MB'];

function tasksOf(set: string): Task[] {
  return [
    { kind: 'load', set },
    { kind: 'load', set },
    {
      kind: 'read',
      entries: [
        { bytes: 1024, reads: 30 },
        { bytes: 1024 ** 2, reads: 15 },
      ],
    },
  ];
}

/** What watching costs: one observer and one measure beside the first observer. */
export interface WatchingFigure {
  observer: string;
  measure: string;
  /** ms. */
  medianMs: number;
  /** Median beside that of the first observer; 1: no cost. */
  ratio: number;
  /** 95 % interval over rounds; null for the first observer itself, and with fewer than 5 rounds. */
  interval: { low: number; high: number } | null;
  rounds: number;
}

type Times = Map<Observer, Reading[][]>;

/** Takes all observers round by round for at most 4 minutes. */
export async function takeWatching(): Promise<WatchingFigure[]> {
  const chromium = await findChromium(undefined);
  if (!chromium) throw new Error('no Chromium was found');
  const directory = await mkdtemp(join(tmpdir(), 'cachescope-bench-'));
  const server = await startTaskServer();
  const times: Times = new Map(observers.map((observer) => [observer, measures.map(() => [])]));
  try {
    const extensionDirectory = await builtExtension();
    const grantedDirectory = await grantedExtension(directory);
    const places = { chromiumPath: chromium.path, extensionDirectory, grantedDirectory };
    const startedAt = performance.now();
    for (let round = 0, longestMs = 0; round < mostRounds; round++) {
      const beganAt = performance.now();
      if (beganAt - startedAt + longestMs > limitMs) break;
      await takeRound(server, places, directory, round, times);
      longestMs = Math.max(longestMs, performance.now() - beganAt);
    }
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
  return figuresOf(times);
}

/** Every browser once and in it every observer, each in random order. */
async function takeRound(
  server: TaskServer,
  places: Omit<BenchPlaces, 'profileDirectory'>,
  directory: string,
  round: number,
  times: Times,
): Promise<void> {
  const profileDirectory = join(directory, 'profile');
  for (const kind of shuffled([...new Set(observers.map(({ browser }) => browser))])) {
    const own = shuffled(observers.filter(({ browser }) => browser === kind));
    const taking = takeLaunch(server, own, { ...places, profileDirectory }, round, times);
    await withTimeLimit(`Round ${round} of ${kind}`, launchLimitMs, taking);
    await rm(profileDirectory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** One launch: each observer of this browser once, in the given order, after all tasks once unmeasured: the first are slower. */
async function takeLaunch(
  server: TaskServer,
  own: readonly Observer[],
  places: BenchPlaces,
  round: number,
  times: Times,
): Promise<void> {
  const [first] = own;
  if (!first) return;
  const browser = await launchObserved(first.browser, places);
  try {
    const warmUp: Observer = { ...first, depth: null };
    await takeTasks(server, browser, warmUp, tasksOf(`${round}-warm-up`));
    for (const observer of own) {
      const tasks = tasksOf(`${round}-${observers.indexOf(observer)}`);
      const taken = await takeTasks(server, browser, observer, tasks);
      for (const [measure, list] of taken.flat().entries()) {
        const values = list.map((value) => ({ value, launch: round }));
        times.get(observer)?.[measure]?.push(...values);
      }
    }
  } finally {
    await browser.close();
  }
}

/** All tabs are opened first and then take turns: what comes up with a tab is over before anything is timed. */
async function takeTasks(
  server: TaskServer,
  browser: ObservedBrowser,
  { name, depth }: Observer,
  tasks: readonly Task[],
): Promise<number[][][]> {
  const opened = [];
  for (const task of tasks) {
    const page = server.page(task);
    opened.push({ page, tab: await browser.open(page.url, depth) });
  }
  const taken: number[][][] = [];
  for (const { page, tab } of opened) {
    await page.ready;
    await tab.show();
    page.begin();
    const lists = await page.times;
    if (lists.length === 0) throw new Error(`a page under ${name} lost some of its resources`);
    taken.push(lists);
  }
  for (const { tab } of opened) await tab.close();
  return taken;
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item);
}

function figuresOf(times: Times): WatchingFigure[] {
  const [baseline] = observers;
  const against = (baseline && times.get(baseline)) ?? [];
  return [...times].flatMap(([observer, lists]) =>
    lists.map((readings, measure) => {
      const beside = against[measure] ?? [];
      const design = designOf(readings, beside);
      const medianOf = (group: readonly Reading[]) =>
        median(group.map(({ value }) => value)) ?? Number.NaN;
      const { relative } = differenceOfLaunches(design, { random: createRandom(1) });
      const isUnknown =
        observer === baseline || relative === null || design.of.length < fewestRounds;
      return {
        observer: observer.name,
        measure: measures[measure] ?? '',
        medianMs: medianOf(readings),
        ratio: medianOf(readings) / medianOf(beside),
        interval: isUnknown ? null : { low: 1 + relative.low, high: 1 + relative.high },
        rounds: design.of.length,
      };
    }),
  );
}

/** The cost of watching: page loads and cached reads under each observer, as ratios to those under none. */
export async function measureWatching(): Promise<void> {
  const figures = await takeWatching();
  for (const measure of measures) {
    const own = figures.filter((figure) => figure.measure === measure);
    console.log(
      `${measure}, ms, and ratio to no extension (95 % interval, ${own[0]?.rounds} rounds):`,
    );
    for (const { observer, medianMs, ratio, interval } of own) {
      const range = interval ? ` [${interval.low.toFixed(2)}, ${interval.high.toFixed(2)}]` : '';
      const ms = medianMs.toFixed(3).padStart(9);
      console.log(`  ${observer.padEnd(34)} ${ms}  ${ratio.toFixed(2)}${range}`);
    }
  }
  console.log('Goal: depth page at most 1.02.');
}
