import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EvidenceDepth, evidenceDepths } from '@cachescope/model/attribution/evidence.ts';
import type { Load, LoadHead } from '@cachescope/model/load/load.ts';
import { vi } from 'vitest';
import { findChromium } from '../harness/browser/find.ts';
import { grantedExtension } from '../harness/browser/extension-build.ts';
import { type LaunchedBrowser, launchBrowser } from '../harness/browser/launch.ts';
import { hangLimitMs } from './hang-limit.ts';
import { evaluateInServiceWorker } from './service-worker.ts';

/** A wait that has lasted this long is given up, and says how far it came, ms: before a test that hangs is ended. */
const waitLimitMs = hangLimitMs / 2;

/** A site on loopback whose pages a browser with the extension loads in watched tabs. */
export interface WatchedSite {
  origin: string;
  launched: LaunchedBrowser;
  /** Paths of the requests that reached the server since the start of the last load. */
  requests: string[];
  /** Starts to load a page in a new watched tab; returns the tab id. */
  begin: (path: string, depth: EvidenceDepth) => Promise<number>;
  /** Settles when `count` matching requests have reached the server. */
  reached: (isWanted: (path: string) => boolean, count?: number) => Promise<void>;
  /**
   * The load of a page once it satisfies a condition, even if the extension's service worker stops and restarts
   * meanwhile.
   */
  loadWhen: (path: string, isWhole: (load: Load) => boolean) => Promise<Load>;
  /** Evaluates code in the extension's service worker. */
  tell: <Answer>(code: string) => Promise<Answer>;
  leave: (tabId: number) => Promise<void>;
  close: () => Promise<void>;
}

/** `answer` writes the response for each path, query included. A response is not cacheable unless it says so. */
export async function openWatchedSite(
  answer: (path: string, response: ServerResponse) => void | Promise<void>,
): Promise<WatchedSite> {
  const requests: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requests.push(url);
    if (!url.startsWith('/empty')) {
      void answer(url, response);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' });
    response.end('<!doctype html><link rel="icon" href="data:,">');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const profile = await mkdtemp(join(tmpdir(), 'cachescope-watched-'));
  const launched = await launchBrowser({
    executablePath: (await findChromium(undefined))?.path ?? 'chromium',
    extensionDirectory: await grantedExtension(profile),
    profileDirectory: join(profile, 'profile'),
    cacheDirectory: join(profile, 'cache'),
    headful: false,
  });
  const tell = <Answer>(code: string) => evaluateInServiceWorker<Answer>(launched.browser, code);
  const read = async (path: string) => {
    const heads = await tell<LoadHead[]>('cachescope.loads()');
    const head = heads.find(({ url }) => url === origin + path);
    return head && tell<Load>(`cachescope.load(${JSON.stringify(head.id)})`);
  };
  return {
    origin,
    launched,
    requests,
    tell,
    async begin(path, depth) {
      const empty = JSON.stringify(`${origin}/empty?${path}`);
      const tabId = await tell<number>(
        `cachescope.open(${empty}, ${hangLimitMs}).then(({ tabId }) => cachescope.watch(tabId, '${depth}').then(() => tabId))`,
      );
      requests.length = 0;
      await tell(`chrome.tabs.update(${tabId}, { url: ${JSON.stringify(origin + path)} })`);
      return tabId;
    },
    async reached(isWanted, count = 1) {
      const told = () => requests.filter(isWanted).length >= count;
      await vi.waitUntil(told, { timeout: waitLimitMs }).catch(() => {
        const last = requests.slice(-3).join(', ');
        throw new Error(`the page stopped after ${requests.length} requests, the last: ${last}`);
      });
    },
    async loadWhen(path, isWhole) {
      let said = 'the service worker did not answer';
      const whole = async () => {
        try {
          const load = await read(path);
          if (load && isWhole(load)) return load;
          said = load ? summaryOf(load) : 'there is no such load';
        } catch {
          // A service worker that is stopping or starting does not answer.
        }
        return undefined;
      };
      return vi.waitUntil(whole, { timeout: waitLimitMs, interval: 500 }).catch(() => {
        throw new Error(`the load of ${path} never became whole: ${said}`);
      });
    },
    async leave(tabId) {
      await tell(`cachescope.unwatch(${tabId}).then(() => cachescope.close(${tabId}))`);
    },
    async close() {
      await launched.close();
      server.closeAllConnections();
      server.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Number of rows that each witness told of. */
function summaryOf({ resources, warnings }: Load): string {
  const told = evidenceDepths.map((depth) => {
    const rows = resources.filter(({ evidence }) => evidence[depth]);
    return `${depth} ${rows.length}`;
  });
  return `${resources.length} rows, told by ${told.join(', ')}; warnings: ${warnings.join(' ')}`;
}
