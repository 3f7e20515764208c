import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '@cachescope/model/statistics/quantile.ts';
import type { Reading } from '@cachescope/model/statistics/readings.ts';
import { builtExtension, grantedExtension } from '../../harness/browser/extension-build.ts';
import { withTimeLimit } from '../../harness/time-limit.ts';
import {
  type BenchPlaces,
  blocks,
  launchObserved,
  type ObservedBrowser,
  type Observer,
  observers,
} from './observer.ts';
import { startTaskServer, type Task, type TaskServer } from './task-server.ts';
import { chromiumPath, closing, temporaryDirectory } from './place.ts';
import { compare } from '@cachescope/model/statistics/comparison.ts';
import { ratioText } from './ratio.ts';
import { shuffle } from '../../harness/lab/schedule.ts';

/** No round is started that would probably end after this time, ms. */
const limitMs = 280_000;
/** Time limit of one launch with its tasks, ms. */
const launchLimitMs = 120_000;
/** An observer's deferred work after the load ends within this time, ms; its CPU time counts too. */
const aftermathMs = 600;

/** A page for loads or for reads, and the names of its times. */
interface Turn {
  task: Task;
  measures: readonly string[];
}

function turnsOf(set: string): Turn[] {
  const entries = [
    { bytes: 1024, reads: 30 },
    { bytes: 1024 ** 2, reads: 15 },
  ];
  return [
    { task: { kind: 'load', set }, measures: ['300 resources, cold'] },
    { task: { kind: 'load', set }, measures: ['300 resources, warm'] },
    { task: { kind: 'read', entries }, measures: ['read of 1 KB', 'read of 1 MB'] },
  ];
}

/** Overhead of watching: page loads and cached reads under each observer, as ratios; takes at most five minutes. */
export async function measureWatching(): Promise<void> {
  using directory = temporaryDirectory();
  const server = await startTaskServer();
  const taken: Taken[] = [];
  await using _ = closing(server);
  const places = {
    chromiumPath: await chromiumPath(),
    extensionDirectory: await builtExtension(),
    grantedDirectory: await grantedExtension(directory.path),
    profileDirectory: join(directory.path, 'profile'),
  };
  const startedAt = performance.now();
  for (let round = 0, longestMs = 0; ; round++) {
    const beganAt = performance.now();
    if (beganAt - startedAt + longestMs > limitMs) break;
    taken.push(...(await takeRound(server, places, round)));
    longestMs = Math.max(longestMs, performance.now() - beganAt);
  }
  console.log(watchingTable(taken));
  console.log('Ratios of medians with 95 % intervals, over so many blocks or rounds in brackets.');
  console.log('Goal: depth page at most 1.02 of the tab not watched, and that of no extension.');
}

/** Launches every browser once, in random order, so that a drift of the machine affects all alike. */
async function takeRound(server: TaskServer, places: BenchPlaces, round: number) {
  const taken: Taken[] = [];
  for (const kind of shuffle(['bare', 'extension', 'webRequest granted'] as const, Math.random)) {
    const taking = takeLaunch(server, kind, places, round);
    taken.push(...(await withTimeLimit(`Round ${round} of ${kind}`, launchLimitMs, taking)));
    await rm(places.profileDirectory, { recursive: true, force: true, maxRetries: 5 });
  }
  return taken;
}

/** One launch: all tasks once without measuring, because first runs are slower; then the blocks one after another. */
async function takeLaunch(
  server: TaskServer,
  kind: Observer['browser'],
  places: BenchPlaces,
  round: number,
): Promise<Taken[]> {
  const browser = await launchObserved(kind, places);
  const taken: Taken[] = [];
  await using _ = closing(browser);
  for (const { task } of turnsOf(`${kind}-${round}-warm-up`))
    await takeTask(server, browser, null, task);
  for (const [block, own] of blocks[kind].entries()) {
    for (const observer of shuffle(own, Math.random)) {
      console.error(`round ${round + 1}, block ${block + 1} of ${kind}: ${observer.name}`);
      const set = `${kind}-${round}-${block}-${own.indexOf(observer)}`.replaceAll(' ', '');
      for (const { task, measures } of turnsOf(set)) {
        const { lists, cpuMs } = await takeTask(server, browser, observer.depth, task);
        if (lists.length === 0) throw new Error(`a page under ${observer.name} lost resources`);
        const add = (measure: string, value: number) =>
          taken.push({ observer, measure, value, round, block });
        for (const [place, measure] of measures.entries())
          for (const value of lists[place] ?? []) add(measure, value);
        if (task.kind === 'load') add(`${measures[0]}, CPU of all processes`, cpuMs);
      }
    }
  }
  return taken;
}

/** One task in a separate tab, watched from before it begins. */
async function takeTask(
  server: TaskServer,
  browser: ObservedBrowser,
  depth: Observer['depth'],
  task: Task,
): Promise<{ lists: number[][]; cpuMs: number }> {
  const page = server.page(task);
  const tab = await browser.open(page.url, depth);
  await page.ready;
  await tab.show();
  const before = await browser.cpuMs();
  page.begin();
  const lists = await page.times;
  if (task.kind === 'load') await sleep(aftermathMs);
  const after = await browser.cpuMs();
  await tab.close();
  const spent = [...after].map(([id, cpuMs]) => cpuMs - (before.get(id) ?? 0));
  return { lists, cpuMs: spent.reduce((sum, each) => sum + each, 0) };
}

/** A value measured in one block of one launch. */
interface Taken {
  observer: Observer;
  measure: string;
  /** ms. */
  value: number;
  round: number;
  block: number;
}

/** Upper bound of the number of blocks in a launch: blocks are numbered across all rounds. */
const blocksPerRound = 100;

/** Overhead of watching as a table: each measure of every observer, compared with the observer's baseline. */
function watchingTable(taken: readonly Taken[]): string {
  return [...Map.groupBy(taken, ({ measure }) => measure)]
    .map(([measure, own]) =>
      [`${measure}, ms:`, ...observers.flatMap((observer) => lineOf(observer, own))].join('\n'),
    )
    .join('\n');
}

/**
 * The median, and its ratio to the baseline's with a 95 % interval over blocks with both observers, or over rounds when
 * the browsers differ.
 */
function lineOf(observer: Observer, taken: readonly Taken[]): string[] {
  const { beside } = observer;
  const isPaired = beside?.browser === observer.browser;
  const readingsOf = (wanted: Observer | null): Reading[] =>
    taken
      .filter((each) => each.observer === wanted)
      .map(({ value, round, block }) => ({
        value,
        launch: isPaired ? round * blocksPerRound + block : round,
      }));
  const own = readingsOf(observer);
  const medianMs = median(own.map(({ value }) => value));
  if (medianMs === null) return [];
  const start = `  ${observer.name.padEnd(31)} ${medianMs.toFixed(2).padStart(8)}`;
  const comparison = compare(own, readingsOf(beside));
  if (!beside || comparison.relative === null) return [start];
  const launches = comparison.of.launches;
  return [`${start}  ${ratioText(comparison)} of ${beside.name} (${launches})`];
}
