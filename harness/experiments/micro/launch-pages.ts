import type { MicroCache } from '@cachescope/model/micro/cache.ts';
import { type MicroCell, microFlagsOf } from '@cachescope/model/micro/slice.ts';
import type { MicroTask, TimeTask } from '@cachescope/model/micro/task.ts';
import { browserChoice } from '../../browser/settings.ts';
import { withFreshBrowsers } from '../../lab/attempts.ts';
import { difference } from '../../storage/device-counters.ts';
import { MicroBrowser, type MicroPage } from './browser.ts';
import { EntryCount } from './entry-count.ts';
import type { MicroProfile, MicroLab } from './lab.ts';

/** The pages of one browser launch: one for each cache, opened at its first use. */
export class LaunchPages {
  readonly #launch: number;
  readonly #browser: MicroBrowser;
  readonly #lab: MicroLab;
  readonly #profile: MicroProfile;
  readonly #pages = new Map<MicroCache, MicroPage>();

  constructor(lab: MicroLab, profile: MicroProfile, browser: MicroBrowser) {
    this.#lab = lab;
    this.#profile = profile;
    this.#browser = browser;
    this.#launch = lab.launches++;
  }

  /** The page that reads through a cache. */
  async page(cache: MicroCache): Promise<MicroPage> {
    const known = this.#pages.get(cache);
    if (known) return known;
    const { origin, tasks, session } = this.#lab;
    const page = await this.#browser.open(origin.url, tasks, cache);
    if (!page.crossOriginIsolated) {
      const step = page.timerStepMs * 1000;
      session.warn(
        `The page that reads through ${cache} is not isolated: its clock steps in ${step} µs.`,
      );
    }
    this.#pages.set(cache, page);
    return page;
  }

  /** Performs a task that is not measured. */
  async prepare(task: Exclude<MicroTask, { kind: 'end' }>, limitMs?: number): Promise<void> {
    const page = await this.page(task.cache);
    await page.perform(task, limitMs);
  }

  /** Takes one slice and saves it. Meanwhile, nothing else may read entries from the origin. */
  async take(cell: MicroCell, task: TimeTask): Promise<void> {
    const { session, origin } = this.#lab;
    const { disk } = this.#profile;
    const page = await this.page(task.cache);
    const takenAt = new Date().toISOString();
    using count = new EntryCount(origin.log);
    const before = cell.storage === 'none' ? null : await disk.counters();
    const reading = () => page.perform(task, task.timeMs);
    const { result: timed, flags } = await session.watched(reading);
    const after = before && (await disk.counters());
    if (!timed) throw new Error('a page returned no times');
    const device = before && after ? difference(after, before) : null;
    const witnessed = { ...timed, ...count.take(), device };
    await session.keep({
      sequence: session.lines.length,
      cell,
      launch: this.#launch,
      takenAt,
      timerStepMs: page.timerStepMs,
      ...witnessed,
      flags: [...microFlagsOf(cell, witnessed), ...flags],
    });
  }
}

/** A job of a launch. It is repeated from its start when the browser fails. */
export type Job = (pages: LaunchPages) => Promise<void>;

/** Options of a launch. */
interface LaunchOptions {
  /** Additional command-line switches of the browser. */
  extra?: readonly string[];
  /**
   * Runs before the browser starts in every attempt, so that the conditions of a cold slice hold in later attempts too.
   */
  before?: () => Promise<void>;
}

/**
 * Does the jobs of one launch; after a failure of the browser, continues with a fresh one at the job that failed. An
 * interrupt ends it between two jobs.
 */
export async function inLaunch(
  lab: MicroLab,
  profile: MicroProfile,
  jobs: readonly Job[],
  { extra = [], before = () => Promise.resolve() }: LaunchOptions = {},
): Promise<void> {
  if (lab.session.shouldStop()) return;
  const queue = [...jobs];
  await withFreshBrowsers(
    (line) => lab.session.warn(line),
    async () => {
      await before();
      await doJobs(lab, profile, queue, extra);
    },
  );
}

async function doJobs(
  lab: MicroLab,
  profile: MicroProfile,
  queue: Job[],
  extra: readonly string[],
): Promise<void> {
  const { chromiumPath: executablePath, headful } = lab.session.found;
  const { profileDirectory, cacheDirectory } = profile;
  const browser = await MicroBrowser.launch({
    executablePath,
    headful,
    profileDirectory,
    cacheDirectory,
    extra: [...extra, ...browserChoice(lab.plan.settings ?? {}).extra],
  });
  try {
    const pages = new LaunchPages(lab, profile, browser);
    for (let job = queue[0]; job && !lab.session.shouldStop(); job = queue[0]) {
      await job(pages);
      queue.shift();
    }
  } finally {
    await browser.close();
  }
}
