import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FillSystem } from '@cachescope/model/fill/plan.ts';
import { type LaunchedBrowser, launchBrowser } from '../../browser/launch.ts';
import { browserChoice } from '../../browser/settings.ts';
import { browserSession } from '../../browser/targets.ts';
import { CachescopeError } from '../../error.ts';
import { withTimeLimit } from '../../time-limit.ts';
import type { FillLab } from './lab.ts';
import type { PageReading, ReaderPlace, ReaderPlan, ReaderServer } from './reader-server.ts';

/** Time limit of the pages beyond the duration in their plan, ms: for opening tabs and for transfers in progress. */
const slackMs = 120_000;
/** Maximum number of frames or workers that the readers share, and of tabs, each a page with its own process. */
const mostPlaces = 10;
const mostTabs = 5;

/** The kind and number of places in which the readers of a system run. */
export function placeOf(system: FillSystem, workers: number): ReaderPlace {
  if (system === 'browser-tabs') return { kind: 'tabs', count: Math.min(workers, mostTabs) };
  const count = Math.min(workers, mostPlaces);
  if (system === 'browser-frames') return { kind: 'frames', count };
  return system === 'browser-workers' ? { kind: 'workers', count } : { kind: 'page', count: 1 };
}

/** Options of one launch. */
export interface FillLaunch {
  /** True: the readers run in an off-the-record browser context, whose HTTP cache is in memory. */
  inMemory: boolean;
  /** Directory of the cache; default: a directory beside the profile. */
  cacheDirectory?: string;
  /** Each rejects when a server that the pages read from fails: the reading then rejects and the browser is closed. */
  lost: readonly Promise<never>[];
}

let launches = 0;

/**
 * Launches Chromium with an empty cache, lets its pages read on their own, and closes it; its version and flags go to the
 * run's record. No session is attached to a page: the tabs are opened through the browser's session.
 */
export async function readInBrowser(
  { session, readers }: FillLab,
  plan: ReaderPlan,
  launch: FillLaunch,
): Promise<PageReading> {
  const { found, extensionDirectory, work, run } = session;
  const { browserPath, headful } = found;
  if (browserPath === null)
    throw new CachescopeError('CS_BROWSER_MISSING', 'readers in a browser need Chromium');
  const own = join(work, `launch-${launches++}`);
  const cacheDirectory = launch.cacheDirectory ?? join(own, 'cache');
  await mkdir(cacheDirectory, { recursive: true });
  const browser = await launchBrowser({
    executablePath: browserPath,
    extra: browserChoice(found.plan.settings ?? {}).extra,
    extensionDirectory,
    headful,
    profileDirectory: join(own, 'profile'),
    cacheDirectory,
    temporaryDirectory: join(own, 't'),
    link: session.link.end,
  });
  try {
    const reading = await readWith(browser, readers, plan, launch);
    const { version, flags } = browser;
    Object.assign(run.environment.chromium, { version, flags });
    return reading;
  } finally {
    await browser.close();
    await rm(own, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function readWith(
  { browser, crashed }: LaunchedBrowser,
  server: ReaderServer,
  plan: ReaderPlan,
  { inMemory, lost }: FillLaunch,
): Promise<PageReading> {
  const root = await browserSession(browser);
  const context = inMemory ? await root.send('Target.createBrowserContext', {}) : {};
  const { leader, follower, result } = server.plan(plan);
  const open = (url: string) => root.send('Target.createTarget', { url, ...context });
  const followers = plan.place.kind === 'tabs' ? plan.place.count : 0;
  for (let tab = 0; tab < followers; tab++) await open(follower);
  await open(leader);
  const latestMs = Math.max(0, ...(plan.readers ?? []).map(({ afterMs }) => afterMs));
  const { durationMs, headDelayMs = 0 } = plan.pace;
  const limitMs = (plan.timeMs ?? latestMs) + headDelayMs + durationMs + slackMs;
  const reading = Promise.race([result, crashed, ...lost]);
  return withTimeLimit('Reading in Chromium', limitMs, reading);
}
