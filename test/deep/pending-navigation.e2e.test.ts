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

/** Number of polls that the first document makes before it leaves, and while the next one is awaited. */
const polls = 8;
const first = `<!doctype html><script>
  let count = 0;
  const poll = () => fetch('poll?' + count++).then((response) => response.text()).then(() => {
    if (count === ${polls}) location.href = 'next';
    setTimeout(poll, 30);
  });
  addEventListener('load', poll);
</script>`;
const next = `<!doctype html><script>fetch('own').then((response) => response.text())</script>`;

/** A site whose second document is answered only after the first one has polled on. */
function startSite() {
  let awaited: ServerResponse | undefined;
  let pending = 0;
  const html = { 'content-type': 'text/html', 'cache-control': 'no-store' };
  const server = createServer(({ url = '' }, response) => {
    if (url.endsWith('/next')) {
      awaited = response;
      return;
    }
    const isFirst = url.endsWith('/first');
    response.writeHead(200, isFirst ? html : { 'cache-control': 'no-store' });
    response.end(isFirst ? first : 'text');
    if (awaited && ++pending === polls) awaited.writeHead(200, html).end(next);
  });
  return new Promise<{ url: string; close: () => void }>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/site`;
      resolve({ url, close: () => void server.close() });
    });
  });
}

let origin: Origin;
beforeAll(async () => void (origin = await startOrigin({ workloads: [], situations: true })));
afterAll(() => origin?.close());

const fileOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

async function loadOf(browser: WatchedBrowser, file: string): Promise<Load | undefined> {
  const head = (await browser.instrument().loads()).find(({ url }) => fileOf(url) === file);
  return head && browser.instrument().load(head.id);
}

test.each<['debugger' | 'devtools' | 'devtools-and-webRequest', EvidenceDepth[]]>([
  ['debugger', ['page', 'debugger']],
  ['devtools', ['page', 'devtools']],
  ['devtools-and-webRequest', ['page', 'webRequest', 'devtools']],
])(
  'watched by %s, what a document asks for while the next one is awaited stands in its own load, once',
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
      // The last poll may be cut off by the next document.
      const whole = Array.from({ length: 2 * polls - 1 }, (_, index) => `poll?${index}`);
      const rows = (await of('first')).filter(({ url }) => whole.includes(fileOf(url)));
      expect(rows.map(({ url }) => fileOf(url)).toSorted()).toEqual(whole.toSorted());
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
