import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FillSystem } from '@cachescope/model/fill/plan.ts';
import { type LaunchedBrowser, launchBrowser } from '../../browser/launch.ts';
import { pageCrash } from '../../browser/page-crash.ts';
import { browserSession } from '../../browser/targets.ts';
import { withTimeLimit } from '../../time-limit.ts';
import type { PageReading, ReaderPlace, ReaderPlan, ReaderServer } from './reader-server.ts';

/** Time limit of the pages beyond the duration in their plan, ms: for opening tabs and for transfers in progress. */
const slackMs = 120_000;
/** Maximum number of frames or workers that the readers share, and of tabs, each a page with its own process. */
const mostPlaces = 10;
const mostTabs = 5;

/** Options of the browser launches of a run. */
export interface FillBrowserOptions {
  executablePath: string;
  /** Additional command-line switches. */
  extra?: readonly string[];
  extensionDirectory: string;
  headful: boolean;
  /** Directory of the profiles and of the caches on ordinary storage. */
  directory: string;
}

/** The kind and number of places in which the readers of a system run. */
export function placeOf(system: FillSystem, workers: number): ReaderPlace {
  switch (system) {
    case 'browser-frames':
      return { kind: 'frames', count: Math.min(workers, mostPlaces) };
    case 'browser-workers':
      return { kind: 'workers', count: Math.min(workers, mostPlaces) };
    case 'browser-tabs':
      return { kind: 'tabs', count: Math.min(workers, mostTabs) };
    default:
      return { kind: 'page', count: 1 };
  }
}

/** Options of one launch. */
export interface FillLaunch {
  /** True: the readers run in an off-the-record browser context, whose HTTP cache is in memory. */
  inMemory: boolean;
  /** Directory of the cache; default: a directory beside the profile. */
  cacheDirectory?: string;
  /** Each rejects when a server that the pages read from fails: the reading then rejects and the browser is closed. */
  lost?: readonly Promise<never>[];
}

/** The result of one launch, and the browser's version and flags. */
export interface BrowserReading extends PageReading {
  version: string;
  flags: string[];
}

let launches = 0;

/**
 * Launches Chromium with an empty cache, lets its pages read on their own, and closes it. No session is attached to a
 * page: the tabs are opened through the browser's session.
 */
export async function readInBrowser(
  options: FillBrowserOptions,
  server: ReaderServer,
  plan: ReaderPlan,
  launch: FillLaunch,
): Promise<BrowserReading> {
  const own = join(options.directory, `launch-${launches++}`);
  const cacheDirectory = launch.cacheDirectory ?? join(own, 'cache');
  await mkdir(cacheDirectory, { recursive: true });
  const { executablePath, extra, extensionDirectory, headful } = options;
  const browser = await launchBrowser({
    executablePath,
    extra,
    extensionDirectory,
    headful,
    profileDirectory: join(own, 'profile'),
    cacheDirectory,
    temporaryDirectory: join(own, 't'),
  });
  try {
    const reading = await readWith(browser, server, plan, launch);
    return { ...reading, version: browser.version, flags: browser.flags };
  } finally {
    await browser.close();
    await rm(own, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function readWith(
  { browser }: LaunchedBrowser,
  server: ReaderServer,
  plan: ReaderPlan,
  { inMemory, lost = [] }: FillLaunch,
): Promise<PageReading> {
  const { crashed } = await pageCrash(browser);
  const root = await browserSession(browser);
  const context = inMemory ? await root.send('Target.createBrowserContext', {}) : {};
  const { leader, follower, result } = server.plan(plan);
  const open = (url: string) => root.send('Target.createTarget', { url, ...context });
  const followers = plan.place.kind === 'tabs' ? plan.place.count : 0;
  for (let tab = 0; tab < followers; tab++) await open(follower);
  await open(leader);
  const latestMs = Math.max(0, ...(plan.readers ?? []).map(({ afterMs }) => afterMs));
  const limitMs = (plan.timeMs ?? latestMs) + slackMs;
  const reading = Promise.race([result, crashed, ...lost]);
  return withTimeLimit('Reading in Chromium', limitMs, reading);
}
