import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FillSystem } from '@cachescope/model/fill/plan.ts';
import { type LaunchedBrowser, launchBrowser } from '../../browser/launch.ts';
import { pageCrash } from '../../browser/page-crash.ts';
import { browserSession } from '../../browser/targets.ts';
import { withTimeLimit } from '../../time-limit.ts';
import type { PageReading, ReaderPlace, ReaderPlan, ReaderServer } from './reader-server.ts';

/** What pages may take beyond the time that their plan names, ms: opening tabs, and files under way. */
const slackMs = 120_000;
/** Frames and workers that the readers are spread over, and tabs, each a page with a process of its own. */
const mostPlaces = 10;
const mostTabs = 5;

/** How browsers are launched for a run. */
export interface FillBrowserOptions {
  executablePath: string;
  /** Further switches. */
  extra?: readonly string[];
  extensionDirectory: string;
  headful: boolean;
  /** Profiles and ordinary caches go in here. */
  directory: string;
}

/** Where the readers of a system run. */
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

/** What one launch is to be. */
export interface FillLaunch {
  /** True: the readers run in a context off the record, whose HTTP cache is in memory. */
  inMemory: boolean;
  /** Holds the cache; default: a directory beside the profile. */
  cacheDirectory?: string;
  /** Each rejects when what the pages read from is lost: the browser is closed, and then so does the reading. */
  lost?: readonly Promise<never>[];
}

/** What a launch read, and with which browser. */
export interface BrowserReading extends PageReading {
  version: string;
  flags: string[];
}

let launches = 0;

/**
 * Launches Chromium with an empty cache, lets its pages read by themselves, and closes it. Nothing is attached to a page:
 * tabs are opened through the browser's own session.
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
