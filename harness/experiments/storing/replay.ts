import type { Coding } from '@cachescope/model/coding.ts';
import { zipfSampler } from '@cachescope/model/reclaim/zipf.ts';
import type { Variant } from '@cachescope/model/run/variant.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { StoringReplay } from '@cachescope/model/storing/run.ts';
import { sleep } from 'zx';
import { responsesIn, type StoringBrowser, type StoringLab } from './browser.ts';
import { type Cell, flagsOf, loadPath, type Reading, readingOf } from './cell.ts';
import { launchEach } from './launch-each.ts';

/** One replay: the same requests to a browser of each variant. */
export interface ReplayStep {
  /** Unique in the run. */
  name: string;
  variants: readonly Variant[];
  /** The response at the URL of every key. */
  cell: Cell;
  replay: StoringReplay;
  /** Equal seeds draw equal requests. */
  seed: number;
}

/** The measured requests of one browser, and what its cache was asked before and held after. */
export interface ReplayCount {
  /** For each request, the content coding of the responses that the origin sent; empty: none, which is a hit. */
  codings: readonly (readonly (Coding | null)[])[];
  /** Hits that the browser counted itself (UMA) during these requests. */
  countedHits: number;
  /** Different keys of all requests, including those before. */
  differentKeys: number;
  /** Entries in the cache at the end. */
  held: number | null;
}

/**
 * Replays traffic in browsers with a limited cache: each request to every browser in turn. The first half of the requests
 * populates the caches, the second half is measured.
 */
export async function takeReplay(
  lab: StoringLab,
  { name, variants, cell, replay, seed }: ReplayStep,
): Promise<Reading[]> {
  await using opened = new AsyncDisposableStack();
  const launches = { name, variants, cacheBytes: replay.limitBytes };
  const seats = await launchEach(lab, launches, [cell.workload], opened);
  const browsers = seats.map(({ browser }) => browser);
  const keys = replayedKeys(replay, seed);
  const path = loadPath(cell.workload, cell.coding);
  const paths = keys.map((key) => path.replace('{key}', `${key}`));
  const half = Math.floor(paths.length / 2);
  await send(browsers, paths.slice(0, half), replay.rateHz);
  const before = await hitsCountedBy(browsers);
  const sent = await send(browsers, paths.slice(half), replay.rateHz);
  const after = await hitsCountedBy(browsers);
  const readings: Reading[] = [];
  for (const [index, { browser, variant }] of seats.entries()) {
    const count = {
      codings: sent.map((codings) => codings[index] ?? []),
      countedHits: (after[index] ?? 0) - (before[index] ?? 0),
      differentKeys: new Set(keys).size,
      held: responsesIn(await browser.close()),
    };
    readings.push(...replayReadings({ variant }, cell, count));
  }
  return readings;
}

/** The keys of all requests, in order. */
export function replayedKeys({ requests, skew, keys }: StoringReplay, seed: number): number[] {
  const rank = zipfSampler(skew, keys, createRandom(seed));
  return Array.from({ length: requests }, rank);
}

/** Sends each request to every browser; the content codings of the origin's responses, by request and browser. */
async function send(
  browsers: readonly StoringBrowser[],
  paths: readonly string[],
  rateHz: number,
): Promise<(Coding | null)[][][]> {
  const startedMs = performance.now();
  const sent: (Coding | null)[][][] = [];
  for (const [number, path] of paths.entries()) {
    await sleep(Math.max(0, startedMs + (1000 * number) / rateHz - performance.now()));
    const codings: (Coding | null)[][] = [];
    for (const browser of browsers) codings.push(await browser.read(path));
    sent.push(codings);
  }
  return sent;
}

async function hitsCountedBy(browsers: readonly StoringBrowser[]): Promise<number[]> {
  const hits: number[] = [];
  for (const { browser } of browsers) hits.push((await browser.cacheHistograms()).hits);
  return hits;
}

/** The hit rate, and the entries that the cache held, flagged where the witnesses disagree. */
export function replayReadings(
  seat: { variant: string },
  cell: Omit<Cell, 'workload'>,
  { codings, countedHits, differentKeys, held }: ReplayCount,
): Reading[] {
  const misses = codings.filter((each) => each.length > 0);
  const isAsked = misses.every((each) => each.length === 1 && each[0] === cell.coding);
  const hits = codings.length - misses.length;
  const flags = flagsOf({
    'origin-unasked': !isAsked,
    'not-full': held !== null && held >= differentKeys,
    histograms: countedHits !== hits,
  });
  return [
    readingOf(seat, cell, 'hit-rate', [hits / codings.length], flags),
    readingOf(seat, cell, 'replay-entries', held === null ? [] : [held], flags),
  ];
}
