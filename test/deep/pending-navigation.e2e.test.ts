import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { type Origin, startOrigin } from '@cachescope/origin/server.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  startWatchedBrowser,
  type WatchedBrowser,
} from '../../harness/situations/watched-browser.ts';
import { hangLimitMs } from '../hang-limit.ts';

const fileOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

/** Number of polls that the first document makes before it leaves, and its frame while the next one is awaited. */
const polls = 8;
const first = `<!doctype html><iframe src="frame"></iframe><script>
  let count = 0;
  const poll = () => fetch('poll?' + count++).then((response) => response.text()).then(() => {
    if (count === ${polls}) location.href = 'next';
    setTimeout(poll, 30);
  });
  addEventListener('load', poll);
</script>`;
const frame = `<!doctype html><script>
  let count = 0;
  const poll = () => fetch('framed?' + count++).then((response) => response.text()).then(() => setTimeout(poll, 30));
  addEventListener('load', poll);
</script>`;
const documents: Record<string, string | undefined> = { first, frame };
const next = `<!doctype html><script>fetch('own').then((response) => response.text())</script>`;

interface Site {
  url: string;
  /** Numbers of polls of the first document and of its frame. The last of each is never answered. */
  polls: { poll: number; framed: number };
  close: () => void;
}

/**
 * A site whose second document is answered only after the first one, and its frame, have polled on. Neither polls
 * between this answer and the second document: only the debugger would know whose request that is.
 */
function startSite(): Promise<Site> {
  let awaited: ServerResponse | undefined;
  let framedPending = 0;
  let pollsLeft = 2;
  const site = { url: '', polls: { poll: 0, framed: 0 }, close: () => void server.close() };
  const html = { 'content-type': 'text/html', 'cache-control': 'no-store' };
  const server = createServer(({ url = '' }, response) => {
    const file = fileOf(url);
    if (file === 'next') {
      awaited = response;
      return;
    }
    if (file.startsWith('framed?')) {
      site.polls.framed++;
      if (awaited && ++framedPending === polls) return;
    }
    if (file.startsWith('poll?')) {
      site.polls.poll++;
      if (framedPending === polls && --pollsLeft === 0) {
        awaited?.writeHead(200, html).end(next);
        return;
      }
    }
    const document = documents[file];
    response.writeHead(200, document ? html : { 'cache-control': 'no-store' });
    response.end(document ?? 'text');
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/site`;
      resolve(site);
    });
  });
}

let origin: Origin;
beforeAll(async () => void (origin = await startOrigin({ workloads: [], situations: true })));
afterAll(() => origin?.close());

async function loadOf(browser: WatchedBrowser, file: string): Promise<Load | undefined> {
  const head = (await browser.instrument().loads()).find(({ url }) => fileOf(url) === file);
  return head && browser.instrument().load(head.id);
}

test.each<['debugger' | 'devtools' | 'devtools-and-webRequest', EvidenceDepth[]]>([
  ['debugger', ['page', 'debugger']],
  ['devtools', ['page', 'devtools']],
  ['devtools-and-webRequest', ['page', 'webRequest', 'devtools']],
])(
  'watched by %s, what a document and its frame ask for while the next one is awaited stands in its own load, once',
  async (watching, witnesses) => {
    const site = await startSite();
    const browser = await startWatchedBrowser(origin, watching);
    try {
      await browser.turnTo(0);
      await browser.visit(`${site.url}/first`);
      const isTold = (load: Load | undefined, file: string) =>
        load?.resources.some(
          ({ url, evidence }) => fileOf(url) === file && witnesses.every((each) => evidence[each]),
        );
      await vi.waitUntil(async () => isTold(await loadOf(browser, 'next'), 'own'), {
        timeout: hangLimitMs,
        interval: 200,
      });
      const of = async (file: string) => (await loadOf(browser, file))?.resources ?? [];
      const ofNext = (await of('next')).map(({ url }) => fileOf(url));
      expect(ofNext.filter((file) => file !== 'favicon.ico').toSorted()).toEqual(['next', 'own']);
      const answered = Object.entries(site.polls).flatMap(([name, count]) =>
        Array.from({ length: count - 1 }, (_, index) => `${name}?${index}`),
      );
      const rows = (await of('first')).filter(({ url }) => answered.includes(fileOf(url)));
      expect(rows.map(({ url }) => fileOf(url)).toSorted()).toEqual(answered.toSorted());
      for (const { url, evidence } of rows)
        expect([fileOf(url), witnesses.filter((each) => evidence[each])]).toEqual([
          fileOf(url),
          witnesses,
        ]);
    } finally {
      await browser.close();
      site.close();
    }
  },
);
