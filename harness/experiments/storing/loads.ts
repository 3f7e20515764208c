import { type Coding, dictionaryCodings } from '@cachescope/model/coding.ts';
import type { Variant } from '@cachescope/model/run/variant.ts';
import type { StoringPlan } from '@cachescope/model/storing/run.ts';
import { sleep } from 'zx';
import { shuffle } from '../../lab/schedule.ts';
import { proportionalBytes } from '../../sampling/process-memory.ts';
import { responsesIn, StoringBrowser, type StoringLab } from './browser.ts';
import { type Cell, flagsOf, loadPath, type Reading, readingOf } from './cell.ts';
import { launchEach } from './launch-each.ts';
import { ampleBytes, atOnce, loadsOf } from './launch-size.ts';

/** Small requests of the other page before those that are timed. */
const othersBefore = 5;
const memoryEveryMs = 10;
/** Responses that are stored in the limited cache, as a multiple of those whose bodies fit. */
const limitFills = 10;

/** One step of a pass. */
interface Step {
  /** Unique in the run. */
  name: string;
  plan: StoringPlan;
  /** In the order of measurement. */
  cells: readonly Cell[];
}

/**
 * Every cell: first loads, hits, and the stored size; of some also ten at once. The browsers of all variants are open at
 * the same time and take each cell in turn, so that other work on the machine affects them alike.
 */
export async function takeCells(
  lab: StoringLab,
  { name, plan, cells, random }: Step & { random: () => number },
): Promise<Reading[]> {
  await using opened = new AsyncDisposableStack();
  const { variants } = plan;
  const withDictionary = cells.filter(({ coding }) => dictionaryCodings.includes(coding));
  const workloads = [...new Set(withDictionary.map(({ workload }) => workload))];
  const launches = { name, variants, cacheBytes: ampleBytes };
  const launched = await launchEach(lab, launches, workloads, opened);
  const seats = launched.map((each): Seat => ({ ...each, stored: [] }));
  const readings: Reading[] = [];
  for (const cell of cells)
    for (const seat of shuffle(seats, random)) {
      const from = seat.browser.freshKeys(loadsOf(cell.bytes) + 1);
      seat.stored.push({ cell, from });
      const { result: own, flags } = await lab.watched(async () => [
        ...(await loadsAndHits(seat, cell, from)),
        ...(cell.bytes === plan.tenBytes ? await tenAtOnce(seat, cell) : []),
      ]);
      readings.push(...own.map((each) => ({ ...each, flags: [...each.flags, ...flags] })));
    }
  for (const seat of seats) {
    const { evidence } = lab;
    if (!evidence.has(seat.variant))
      evidence.set(seat.variant, await seat.browser.closeForEvidence());
    readings.push(...(await storedSizes(seat)));
  }
  return readings;
}

/** A browser of a variant, and the first key of each cell that it has loaded. */
interface Seat {
  browser: StoringBrowser;
  variant: string;
  stored: { cell: Cell; from: number }[];
}

/** Closes a browser, and reads the sizes of its entries. */
async function storedSizes(seat: Seat): Promise<Reading[]> {
  const entries = await seat.browser.close();
  return seat.stored.map(({ cell, from }) => {
    const path = loadPath(cell.workload, cell.coding);
    const keys = Array.from({ length: loadsOf(cell.bytes) }, (_, index) => `${from + index}`);
    const found = keys.flatMap((key) => entries.get(path.replace('{key}', key)) ?? []);
    const sizes = found.map(({ storedBytes }) => storedBytes);
    return readingOf(seat, cell, 'stored', sizes);
  });
}

async function loadsAndHits(seat: Seat, cell: Cell, from: number): Promise<Reading[]> {
  const { browser } = seat;
  const [path, count] = [loadPath(cell.workload, cell.coding), loadsOf(cell.bytes)];
  const loads = await browser.load(path, from, count, 1);
  const loadFlags = flagsOfLoads(cell, loads.codings, count);
  const hits = await browser.load(path, from, count, 1);
  const hitFlags = flagsOf({ 'origin-touched': hits.codings.length > 0 });
  return [
    readingOf(seat, cell, 'load-time', loads.timesMs, loadFlags),
    readingOf(seat, cell, 'load-processor', known(loads.processorMs), loadFlags),
    readingOf(seat, cell, 'load-written', known(loads.writtenBytes), loadFlags),
    readingOf(seat, cell, 'hit-time', hits.timesMs, hitFlags),
    readingOf(seat, cell, 'hit-processor', known(hits.processorMs), hitFlags),
  ];
}

function flagsOfLoads({ coding }: Cell, codings: readonly (Coding | null)[], count: number) {
  const isAsked = codings.length === count && codings.every((each) => each === coding);
  return flagsOf({ 'origin-unasked': !isAsked });
}

/** Ten responses at the same time: other requests, memory, and two and ten readers of one response. */
async function tenAtOnce(seat: Seat, cell: Cell): Promise<Reading[]> {
  const { browser } = seat;
  const path = loadPath(cell.workload, cell.coding);
  await browser.otherTimes(othersBefore);
  const others: number[] = [];
  // One at a time: each begins while the loads last, and none that they hold up is missed.
  const beside = await during(browser.loadAtOnce(path, atOnce, 1), async () => {
    others.push(...(await browser.otherTimes(1)));
  });
  const memory: number[] = [];
  const { networkService } = browser;
  const again = await during(browser.loadAtOnce(path, atOnce, 1), async () => {
    const bytes = networkService === null ? null : proportionalBytes(networkService);
    if (bytes !== null) memory.push(bytes);
    await sleep(memoryEveryMs);
  });
  const two = await browser.loadAtOnce(path, 2, 0);
  const ten = await browser.loadAtOnce(path, atOnce, 0);
  const peak = memory.length === 0 ? [] : [Math.max(...memory)];
  return [
    readingOf(seat, cell, 'other-time', others, flagsOfLoads(cell, beside, atOnce)),
    readingOf(seat, cell, 'memory', peak, flagsOfLoads(cell, again, atOnce)),
    readingOf(seat, cell, 'requests-of-2', [two.length]),
    readingOf(seat, cell, 'requests-of-10', [ten.length]),
  ];
}

/** Repeats an action until the work has ended; at least once. */
async function during<Result>(work: Promise<Result>, act: () => Promise<void>): Promise<Result> {
  const over = work.then(
    () => true,
    () => true,
  );
  do await act();
  while (!(await Promise.race([over, Promise.resolve(false)])));
  return work;
}

/** The response that is stored in caches whose limit is reached: text. */
export function limitedCell(
  { tenBytes, codings }: StoringPlan,
  cells: readonly Cell[],
): Cell | undefined {
  const coding = codings.at(-1);
  return cells.find(
    (each) => each.bytes === tenBytes && each.body === 'text' && each.coding === coding,
  );
}

/** Text in a cache whose limit is reached: how many entries it holds when the browser is closed. */
export async function takeLimited(
  lab: StoringLab,
  { name, variant, plan, cells }: Step & { variant: Variant },
): Promise<Reading[]> {
  const { tenBytes, limitBytes } = plan;
  const cell = limitedCell(plan, cells);
  if (!cell) return [];
  await using browser = await StoringBrowser.launch(lab, name, variant, limitBytes);
  if (dictionaryCodings.includes(cell.coding)) await browser.holdDictionary(cell.workload);
  const path = loadPath(cell.workload, cell.coding);
  const count = Math.ceil((limitFills * limitBytes) / tenBytes);
  const loads = await browser.load(path, browser.freshKeys(count), count);
  const held = responsesIn(await browser.close());
  const flags = [
    ...flagsOfLoads(cell, loads.codings, count),
    ...flagsOf({ 'not-full': held !== null && held >= count }),
  ];
  return [readingOf({ variant: variant.name }, cell, 'entries', known(held), flags)];
}

function known(value: number | null): number[] {
  return value === null ? [] : [value];
}
