/// <reference types="chrome-types" />
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { median } from '@cachescope/model/quantile.ts';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { findChromium } from '../../harness/browser/find.ts';
import { chromiumFlags } from '../../harness/browser/flags.ts';
import { withTimeLimit } from '../../harness/time-limit.ts';
import { type LoopServer, startLoopServer } from './loop-server.ts';

/** Launches of each observer; the order within a round is fixed, the rounds spread drift over all of them. */
const rounds = 6;
const sizes = [
  { name: '1 KB', bytes: 1024 },
  { name: '1 MB', bytes: 1024 * 1024 },
];

interface Observer {
  name: string;
  /** Folder of an extension to load, if any. */
  extension: string | null;
  /** Done after the page is there and before it starts to read. */
  watch?: (browser: Browser, pageUrl: string) => Promise<void>;
}

async function attachNetworkDomain(browser: Browser, pageUrl: string): Promise<void> {
  const root = await browser.target().createCDPSession();
  const { targetInfos } = await root.send('Target.getTargets');
  const page = targetInfos.find((info) => info.url === pageUrl);
  if (!page) throw new Error(`no page shows ${pageUrl}`);
  const { sessionId } = await root.send('Target.attachToTarget', {
    targetId: page.targetId,
    flatten: true,
  });
  await root.connection()?.session(sessionId)?.send('Network.enable');
}

async function listenToWebRequest(browser: Browser): Promise<void> {
  const target = await browser.waitForTarget((candidate) => candidate.type() === 'service_worker');
  const worker = await target.worker();
  await worker?.evaluate(() => {
    const all = { urls: ['<all_urls>'] };
    for (const event of ['onBeforeRequest', 'onResponseStarted', 'onCompleted'] as const) {
      chrome.webRequest[event].addListener(() => undefined, all);
    }
  });
}

/** The built extension with webRequest granted from the start, which the shipped one asks for only when it is needed. */
async function withWebRequest(extension: string, directory: string): Promise<string> {
  const copy = join(directory, 'with-web-request');
  await cp(extension, copy, { recursive: true });
  const path = join(copy, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  const granted = { permissions: ['webRequest'], host_permissions: ['<all_urls>'] };
  await writeFile(
    path,
    JSON.stringify({
      ...manifest,
      optional_permissions: [],
      optional_host_permissions: [],
      ...granted,
    }),
  );
  return copy;
}

async function readTimes(
  observer: Observer,
  server: LoopServer,
  chromiumPath: string,
  profile: string,
): Promise<number[][]> {
  const browser = await puppeteer.launch({
    executablePath: chromiumPath,
    userDataDir: profile,
    pipe: true,
    enableExtensions: observer.extension === null ? false : [observer.extension],
    waitForInitialPage: false,
    targetFilter: (target) => target.type() === 'browser' || target.type() === 'service_worker',
    args: chromiumFlags({ cacheDirectory: join(profile, 'cache') }, process.getuid?.() === 0),
  });
  try {
    const pageUrl = server.nextPage(sizes.map(({ bytes }) => bytes));
    const root = await browser.target().createCDPSession();
    const times = server.timesOf(pageUrl);
    await root.send('Target.createTarget', { url: pageUrl });
    await server.pageIsReady(pageUrl);
    await observer.watch?.(browser, pageUrl);
    server.letPageRead(pageUrl);
    return await times;
  } finally {
    await browser.close();
  }
}

/**
 * The cost of watching: the same cached reads under each observer, as ratios of the median to those under none. Launches
 * take turns, so that a drift of the machine falls on all.
 */
export async function measureWatching(): Promise<void> {
  const chromium = await findChromium(undefined);
  if (!chromium) throw new Error('no Chromium was found');
  const directory = await mkdtemp(join(tmpdir(), 'cachescope-bench-'));
  const extension = await builtExtension();
  const server = await startLoopServer();
  const observers: Observer[] = [
    { name: 'none', extension: null },
    { name: 'extension, as it is during timed reads', extension },
    {
      name: 'extension with webRequest and three listeners',
      extension: await withWebRequest(extension, directory),
      watch: listenToWebRequest,
    },
    {
      name: 'Puppeteer-like: Network domain attached',
      extension: null,
      watch: attachNetworkDomain,
    },
  ];
  const times = observers.map(() => sizes.map(() => [] as number[]));
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [index, observer] of observers.entries()) {
        const profile = join(directory, `profile-${round}-${index}`);
        const reads = readTimes(observer, server, chromium.path, profile);
        const taken = await withTimeLimit(`Reading under ${observer.name}`, 60_000, reads);
        for (const [size, list] of taken.entries()) times[index]?.[size]?.push(...list);
        await rm(profile, { recursive: true, force: true });
      }
    }
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
  printRatios(observers, times);
}

function printRatios(observers: readonly Observer[], times: readonly number[][][]): void {
  for (const [size, { name }] of sizes.entries()) {
    const baseline = median(times[0]?.[size] ?? []) ?? Number.NaN;
    console.log(`Cached read of ${name}, median, and ratio to no observer:`);
    for (const [index, observer] of observers.entries()) {
      const ms = median(times[index]?.[size] ?? []) ?? Number.NaN;
      console.log(
        `  ${observer.name.padEnd(48)} ${ms.toFixed(3)} ms  ${(ms / baseline).toFixed(2)}`,
      );
    }
  }
  console.log('Goal: the extension as it is during timed reads at most 1.05.');
}
