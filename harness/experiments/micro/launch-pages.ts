import type { MicroCache } from '@cachescope/model/micro/cache.ts';
import { type MicroCell, microFlagsOf, type MicroSlice } from '@cachescope/model/micro/slice.ts';
import type { MicroTask } from '@cachescope/model/micro/task.ts';
import { browserChoice } from '../../browser/settings.ts';
import { messageOf } from '../../error.ts';
import { difference } from '../../storage/device-counters.ts';
import { MicroBrowser, type MicroPage } from './browser.ts';
import { EntryCount } from './entry-count.ts';
import type { MicroProfile, MicroLab } from './lab.ts';

/** Maximum number of attempts of a launch, each with a fresh browser, after infrastructure errors. */
const maxAttempts = 3;

export type TimeTask = Extract<MicroTask, { kind: 'time' }>;

/** One browser launch with a page for each cache, opened at its first use. */
export class LaunchPages {
  readonly launch: number;
  readonly browser: MicroBrowser;
  readonly #lab: MicroLab;
  readonly #profile: MicroProfile;
  readonly #pages = new Map<MicroCache, MicroPage>();

  private constructor(lab: MicroLab, profile: MicroProfile, browser: MicroBrowser, launch: number) {
    this.#lab = lab;
    this.#profile = profile;
    this.browser = browser;
    this.launch = launch;
  }

  static async start(
    lab: MicroLab,
    profile: MicroProfile,
    extra: readonly string[] = [],
  ): Promise<LaunchPages> {
    const { chromiumPath, headful } = lab.session.found;
    const browser = await MicroBrowser.launch({
      executablePath: chromiumPath,
      headful,
      extra: [...extra, ...browserChoice(lab.plan.settings ?? {}).extra],
      profileDirectory: profile.profileDirectory,
      cacheDirectory: profile.cacheDirectory,
    });
    return new LaunchPages(lab, profile, browser, lab.launches++);
  }

  /** The page that reads through a cache. */
  async page(cache: MicroCache): Promise<MicroPage> {
    const known = this.#pages.get(cache);
    if (known) return known;
    const page = await this.browser.open(this.#lab.origin.url, this.#lab.tasks, cache);
    if (!page.crossOriginIsolated) {
      const step = page.timerStepMs * 1000;
      this.#lab.session.warn(
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
  async take(cell: MicroCell, task: TimeTask): Promise<MicroSlice> {
    const lab = this.#lab;
    const page = await this.page(task.cache);
    const takenAt = new Date().toISOString();
    using count = new EntryCount(lab.origin.log);
    const before = cell.storage === 'none' ? null : await this.#profile.disk.counters();
    const timed = await page.perform(task, task.timeMs);
    const after = before && (await this.#profile.disk.counters());
    if (!timed) throw new Error('a page returned no times');
    const device = before && after ? difference(after, before) : null;
    const witnessed = { ...timed, ...count.take(), device };
    const slice: MicroSlice = {
      sequence: lab.session.lines.length,
      cell,
      launch: this.launch,
      takenAt,
      timerStepMs: page.timerStepMs,
      ...witnessed,
      flags: microFlagsOf(cell, witnessed),
    };
    await lab.session.keep(slice);
    return slice;
  }

  /** Closes the browser. */
  async end(): Promise<void> {
    await this.browser.close();
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
 * Does the jobs of one launch; after an error, continues with a fresh browser at the job that failed. An interrupt ends
 * it between two jobs.
 */
export async function inLaunch(
  lab: MicroLab,
  profile: MicroProfile,
  jobs: readonly Job[],
  { extra = [], before = () => Promise.resolve() }: LaunchOptions = {},
): Promise<void> {
  if (lab.session.shouldStop()) return;
  const queue = [...jobs];
  for (let attempt = 1; ; attempt++) {
    try {
      await before();
      await doJobs(lab, profile, queue, extra);
      return;
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      const reason = messageOf(error);
      lab.session.warn(
        `Try ${attempt} of ${maxAttempts} failed (${reason}); continuing with a new browser.`,
      );
    }
  }
}

async function doJobs(
  lab: MicroLab,
  profile: MicroProfile,
  queue: Job[],
  extra: readonly string[],
): Promise<void> {
  const pages = await LaunchPages.start(lab, profile, extra);
  try {
    for (let job = queue[0]; job && !lab.session.shouldStop(); job = queue[0]) {
      await job(pages);
      queue.shift();
    }
  } finally {
    await pages.end();
  }
}
