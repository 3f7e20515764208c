import type { Coding } from '@cachescope/model/coding.ts';
import type { StoringMeasureName } from '@cachescope/model/storing/measure.ts';
import type {
  StoringBody,
  StoringPlan,
  StoringReading,
  StoringRun,
} from '@cachescope/model/storing/run.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { Variant } from '@cachescope/model/run/variant.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import { randomWorkload } from '@cachescope/origin/workloads/random.ts';
import { syntheticWorkload } from '@cachescope/origin/workloads/synthetic.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';
import { sleep } from 'zx';
import { shuffle } from '../../lab/schedule.ts';
import { withFreshBrowsers } from '../../lab/attempts.ts';
import type { RunSession } from '../../lab/run-session.ts';
import { proportionalBytes } from '../../sampling/process-memory.ts';
import type { Found } from '../experiment.ts';
import { MicroDesk } from '../micro/desk.ts';
import { loadPath, StoringBrowser, type StoringLab } from './browser.ts';

/** What the experiment needs. */
export interface StoringFound extends Found {
  plan: StoringPlan;
  headful: boolean;
}

type Session = RunSession<StoringRun, StoringReading, StoringFound>;

/** The response of one cell. */
interface Cell {
  workload: Workload;
  body: StoringBody;
  bytes: number;
  coding: Coding;
}

/** The readings of one launch, before they have a number. */
type Reading = Omit<StoringReading, 'sequence' | 'launch' | 'variant' | 'takenAt'>;

/** Far above everything that one launch stores. */
const ampleBytes = 2 ** 30;
const atOnce = 10;
/** Small requests of the other page between two looks at whether the loads have ended. */
const othersAtATime = 5;
const memoryEveryMs = 10;
/** Responses that are stored in the limited cache, as a multiple of those whose bodies fit. */
const limitFills = 10;

/** Loads of each size in one launch: about as many bytes of each, from 3 to 20. */
export function loadsOf(bytes: number): number {
  return Math.max(3, Math.min(20, Math.round(10 * (2 ** 20 / bytes))));
}

/** Number of browser launches. */
export function plannedLaunches({ variants, launches }: StoringPlan): number {
  return 2 * variants.length * launches;
}

/** Takes all launches; the variants in a new random order in each pass. */
export async function takeStoring(session: Session): Promise<string | null> {
  const { plan, chromiumPath: executablePath, headful } = session.found;
  const { resources, work } = session;
  const workloads = plan.sizesBytes.flatMap((bytes) =>
    plan.bodies.map((body) => ({ body, bytes, workload: workloadOf(body, bytes) })),
  );
  const desk = new MicroDesk();
  const origin = await startOrigin({
    workloads: workloads.map((each) => each.workload),
    micro: desk,
  });
  resources.defer(() => origin.close());
  const lab: StoringLab = { origin, desk, executablePath, headful, work };
  const cells = workloads.flatMap((each) => plan.codings.map((coding) => ({ ...each, coding })));
  await begin(session, lab);
  const random = createRandom(plan.seed);
  let launch = 0;
  for (let pass = 0; pass < plan.launches; pass++) {
    for (const variant of shuffle(plan.variants, random)) {
      for (const take of [takeCells, takeLimited]) {
        const number = launch++;
        const title = `${variant.name}, ${take === takeCells ? 'loads and hits' : 'limited cache'}, launch ${pass + 1}`;
        await session.attempt(title, async () => {
          const readings = await withFreshBrowsers(
            (sentence) => session.warn(sentence),
            (attempt) =>
              take(lab, {
                name: `${number}-${attempt}`,
                variant,
                plan,
                cells: shuffle(cells, random),
              }),
          );
          const common = { launch: number, variant: variant.name };
          for (const reading of readings)
            await session.keep({
              sequence: session.lines.length,
              ...common,
              ...reading,
              takenAt: new Date().toISOString(),
            });
        });
      }
    }
    if (session.shouldStop()) return null;
  }
  return lacking(session);
}

function workloadOf(body: StoringBody, bytes: number): Workload {
  return body === 'text' ? syntheticWorkload(`synthetic:${bytes}B`, bytes) : randomWorkload(bytes);
}

async function begin(session: Session, lab: StoringLab): Promise<void> {
  const { plan, chromiumPath: path } = session.found;
  const first = await StoringBrowser.launch(lab, 'first', { name: 'first' }, ampleBytes);
  try {
    const { version, flags } = first.browser;
    const { timerStepMs } = first.page;
    const chromium = { version, path, flags };
    await session.begin({ chromium, storage: 'ordinary storage', timerStepMs }, { plan });
  } finally {
    await first.remove();
  }
}

function lacking(session: Session): string | null {
  const { lines } = session;
  const flagged = lines.filter(({ flags }) => flags.length > 0).length;
  if (flagged > 0) session.warn(`${flagged} of ${lines.length} readings are flagged and excluded.`);
  return lines.length > flagged ? null : 'no usable reading';
}

/** One launch. */
interface Launch {
  name: string;
  variant: Variant;
  plan: StoringPlan;
  /** In the order of measurement. */
  cells: readonly Cell[];
}

/** Every cell in one browser: first loads, hits, and the stored size; of some also ten at once. */
async function takeCells(
  lab: StoringLab,
  { name, variant, plan, cells }: Launch,
): Promise<Reading[]> {
  const browser = await StoringBrowser.launch(lab, name, variant, ampleBytes);
  try {
    for (const workload of new Set(cells.map((cell) => cell.workload)))
      await browser.holdDictionary(workload);
    const readings: Reading[] = [];
    const keys: { cell: Cell; from: number }[] = [];
    for (const cell of cells) {
      const from = browser.freshKeys(loadsOf(cell.bytes) + 1);
      keys.push({ cell, from });
      readings.push(...(await loadsAndHits(browser, cell, from)));
      if (cell.bytes === plan.tenBytes) readings.push(...(await tenAtOnce(browser, cell)));
    }
    const entries = await browser.close();
    for (const { cell, from } of keys) {
      const path = loadPath(cell.workload, cell.coding);
      const stored = Array.from({ length: loadsOf(cell.bytes) }, (_, index) =>
        entries.get(path.replace('{key}', `${from + index}`)),
      ).flatMap((entry) => entry?.storedBytes ?? []);
      readings.push(readingOf(cell, 'stored', stored));
    }
    return readings;
  } finally {
    await browser.remove();
  }
}

async function loadsAndHits(browser: StoringBrowser, cell: Cell, from: number): Promise<Reading[]> {
  const [path, count] = [loadPath(cell.workload, cell.coding), loadsOf(cell.bytes)];
  const loads = await browser.load(path, from, count, 1);
  const wasAsked = isAsked(cell, loads.codings, count);
  const loadFlags = wasAsked ? [] : (['origin-unasked'] as const);
  const hits = await browser.load(path, from, count, 1);
  const hitFlags = hits.codings.length === 0 ? [] : (['origin-touched'] as const);
  return [
    readingOf(cell, 'load-time', loads.timesMs, loadFlags),
    readingOf(cell, 'load-processor', known(loads.processorMs), loadFlags),
    readingOf(cell, 'hit-time', hits.timesMs, hitFlags),
    readingOf(cell, 'hit-processor', known(hits.processorMs), hitFlags),
  ];
}

function isAsked({ coding }: Cell, codings: readonly (Coding | null)[], count: number): boolean {
  return codings.length === count && codings.every((each) => each === coding);
}

/** Ten responses at the same time: other requests, memory, and two and ten readers of one response. */
async function tenAtOnce(browser: StoringBrowser, cell: Cell): Promise<Reading[]> {
  const path = loadPath(cell.workload, cell.coding);
  await browser.otherTimes(othersAtATime);
  const batches: number[][] = [];
  const beside = await during(browser.loadAtOnce(path, atOnce, 1), async () => {
    batches.push(await browser.otherTimes(othersAtATime));
  });
  // The loads ended during the last one.
  const others = (batches.length > 1 ? batches.slice(0, -1) : batches).flat();
  const memory: number[] = [];
  const { networkService } = browser;
  const again = await during(browser.loadAtOnce(path, atOnce, 1), async () => {
    const bytes = networkService === null ? null : proportionalBytes(networkService);
    if (bytes !== null) memory.push(bytes);
    await sleep(memoryEveryMs);
  });
  const flagsOf = (codings: readonly (Coding | null)[]) =>
    isAsked(cell, codings, atOnce) ? [] : (['origin-unasked'] as const);
  const two = await browser.loadAtOnce(path, 2, 0);
  const ten = await browser.loadAtOnce(path, atOnce, 0);
  const peak = memory.length === 0 ? [] : [Math.max(...memory)];
  return [
    readingOf(cell, 'other-time', others, flagsOf(beside)),
    readingOf(cell, 'memory', peak, flagsOf(again)),
    readingOf(cell, 'requests-of-2', [two.length]),
    readingOf(cell, 'requests-of-10', [ten.length]),
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

/** Text in a cache whose limit is reached: how many entries it holds when the browser is closed. */
async function takeLimited(
  lab: StoringLab,
  { name, variant, plan, cells }: Launch,
): Promise<Reading[]> {
  const { tenBytes, limitBytes } = plan;
  const coding = plan.codings.at(-1);
  const cell = cells.find(
    (each) => each.bytes === tenBytes && each.body === 'text' && each.coding === coding,
  );
  if (!cell) return [];
  const browser = await StoringBrowser.launch(lab, name, variant, limitBytes);
  try {
    await browser.holdDictionary(cell.workload);
    const path = loadPath(cell.workload, cell.coding);
    const count = Math.ceil((limitFills * limitBytes) / tenBytes);
    const loads = await browser.load(path, browser.freshKeys(count), count);
    const entries = await browser.close();
    const held = [...entries.keys()].filter((each) => each.includes('load=')).length;
    const flags = [
      ...(isAsked(cell, loads.codings, count) ? [] : (['origin-unasked'] as const)),
      ...(held < count ? [] : (['not-full'] as const)),
    ];
    return [readingOf(cell, 'entries', [held], flags)];
  } finally {
    await browser.remove();
  }
}

function known(value: number | null): number[] {
  return value === null ? [] : [value];
}

function readingOf(
  { body, bytes, coding }: Cell,
  measure: StoringMeasureName,
  values: number[],
  flags: readonly StoringReading['flags'][number][] = [],
): Reading {
  const unknown = values.length === 0 ? (['unknown'] as const) : [];
  return { measure, body, bytes, coding, values, flags: [...flags, ...unknown] };
}
