import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { harProblems } from '@cachescope/model/fixtures/har-problems.ts';
import { pageCellKey, type PageLoad } from '@cachescope/model/pageload/load.ts';
import type { PageloadRun } from '@cachescope/model/pageload/run.ts';
import { builtExtension } from '@cachescope/harness/browser/extension-build.ts';
import { writeResults } from '@cachescope/harness/results/write-results.ts';
import { readRunDirectory } from '@cachescope/harness/results/run-directory.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  base,
  cachescope,
  type Ended,
  expectNothingLeft,
  ownFlags,
} from '../command-under-test.ts';

/** Connections to a server that takes the place of every host named in the archive. */
let contacts = 0;
const outside = createServer((_request, response) => response.end('outside'));
outside.on('connection', () => contacts++);
let host = '';

/** One request of the archive, with its response body. */
interface Asked {
  path: string;
  type: string;
  mimeType: string;
  text: string;
  caching?: string;
  initiator?: string;
}

const filler = (bytes: number) => 'the body as it was recorded, '.repeat(bytes).slice(0, bytes);

/** 12 resources, 4 levels deep. Their bodies name external hosts, which they would contact if they were executed. */
function askedFor(): Asked[] {
  const evil = `fetch("${host}/stolen");`;
  const script = (path: string, initiator: string): Asked => ({
    path,
    type: 'script',
    mimeType: 'text/javascript',
    text: evil + filler(3000),
    initiator,
  });
  const image = (path: string, initiator: string, caching?: string): Asked => ({
    path,
    type: 'image',
    mimeType: 'image/svg+xml',
    text: `<svg xmlns="http://www.w3.org/2000/svg"><!--${filler(500)}--></svg>`,
    initiator,
    ...(caching !== undefined && { caching }),
  });
  const html = `<script src="${host}/stolen.js"></script><img src="${host}/stolen.png">`;
  return [
    {
      path: '/',
      type: 'document',
      mimeType: 'text/html',
      text: html + filler(6000),
      caching: 'no-cache',
    },
    {
      path: '/a.css',
      type: 'stylesheet',
      mimeType: 'text/css',
      text: `@import url(${host}/b.css);${filler(2000)}`,
      initiator: '/',
    },
    script('/b.js', '/'),
    script('/c.js', '/'),
    image('/d.svg', '/'),
    image('/e.svg', '/a.css'),
    script('/f.js', '/b.js'),
    script('/g.js', '/f.js'),
    {
      path: '/h.json',
      type: 'fetch',
      mimeType: 'application/json',
      text: `{"a":"${filler(900)}"}`,
      initiator: '/g.js',
    },
    image('/i.svg', '/c.js', 'no-store'),
    image('/j.svg', '/c.js', 'no-cache'),
    {
      path: '/k.css',
      type: 'stylesheet',
      mimeType: 'text/css',
      text: filler(1500),
      initiator: '/c.js',
    },
  ];
}

function archive(): object {
  const startedDateTime = '2026-11-20T23:00:00.000Z';
  const entries = askedFor().map(({ path, type, mimeType, text, caching, initiator }, index) => ({
    pageref: 'p',
    startedDateTime: `2026-11-20T23:00:00.${String(100 + index)}Z`,
    time: 5,
    _resourceType: type,
    _initiator: initiator ? { type: 'parser', url: host + initiator } : { type: 'other' },
    request: { method: 'GET', url: host + path, headers: [] },
    response: {
      status: 200,
      headers: [
        { name: 'Cache-Control', value: caching ?? 'max-age=3600' },
        { name: 'Content-Encoding', value: 'br' },
      ],
      bodySize: -1,
      content: { size: Buffer.byteLength(text), mimeType, text },
    },
    timings: {},
  }));
  const pages = [{ id: 'p', startedDateTime, title: `${host}/`, pageTimings: {} }];
  return { log: { version: '1.2', creator: { name: 'WebInspector' }, pages, entries } };
}

beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  host = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
});
afterAll(() => outside.close());

describe('a page of 12 resources, from its archive with bodies', () => {
  const out = join(base, 'run');
  let ended: Ended;
  let run: PageloadRun;
  let taken: PageLoad[];
  let loads: PageLoad[];
  beforeAll(async () => {
    const har = join(base, 'page.har');
    writeFileSync(har, JSON.stringify(archive()));
    const words = `pageload --har ${har} --bodies recorded --launches 1 --seed 1 --env skip --wait`;
    ended = await cachescope(...words.split(' '), '--out', out);
    run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
    const lines = readFileSync(join(out, 'pageloads.ndjson'), 'utf8').trim().split('\n');
    taken = lines.map((line) => JSON.parse(line));
    // Loads during which something stood still were taken again.
    const last = taken.map((load) => [pageCellKey(load.cell), load] as const);
    loads = [...new Map(last).values()];
  });

  const of = (arm: string, state: string) =>
    loads.find(({ cell }) => cell.arm === arm && cell.state === state) as PageLoad;

  test('every kind of load was sampled, and the witnesses agree', () => {
    expect(loads, ended.stderr).toHaveLength(8);
    expect(loads.flatMap(ownFlags)).toEqual([]);
    for (const { loadMs, finishMs } of loads) {
      expect(loadMs).toBeGreaterThan(0);
      expect(finishMs).toBeGreaterThan(0);
    }
    expect([0, 4]).toContain(ended.code);
    expectNothingLeft();
  });

  test('the resource tree and the sizes equal those of the archive', () => {
    const asked = askedFor();
    expect(run.page.resources.map(({ url }) => url)).toEqual(asked.map(({ path }) => host + path));
    const parents = run.page.resources.map(({ parent }) => asked[parent ?? -1]?.path);
    expect(parents).toEqual(asked.map(({ initiator }) => initiator));
    const sizes = asked.map(({ text }) => Buffer.byteLength(text));
    expect(run.page.resources.map(({ bodyBytes }) => bodyBytes)).toEqual(sizes);
    for (const { rows } of loads)
      for (const { place, bodyBytes } of rows) expect(bodyBytes).toBe(sizes[place]);
  });

  test('with an empty cache each resource is fetched once; later loads request only what needs revalidation', () => {
    for (const arm of ['plain', 'dictionary']) {
      const empty = of(arm, 'empty');
      expect(empty.originRequests).toBe(12);
      expect(empty.rows.map(({ source, requests }) => [source, requests])).toEqual(
        askedFor().map(() => ['network', 1]),
      );
      for (const state of ['warm', 'relaunched', 'cold']) {
        const { rows } = of(arm, state);
        const names = rows
          .filter(({ requests }) => requests > 0)
          .map(({ place }) => askedFor()[place]?.path);
        expect(names, `${arm} ${state}`).toEqual(['/', '/i.svg', '/j.svg']);
      }
    }
  });

  test('with dictionaries, scripts and styles are served as dcb instead of br', () => {
    const codings = (arm: string) =>
      of(arm, 'empty').rows.filter(({ place }) =>
        ['script', 'stylesheet'].includes(run.page.resources[place]?.type ?? ''),
      );
    expect(codings('plain').map(({ coding }) => coding)).toEqual(Array(6).fill('br'));
    expect(codings('dictionary').map(({ coding }) => coding)).toEqual(Array(6).fill('dcb'));
  });

  test('no host named in the bodies was contacted', () => {
    expect(contacts).toBe(0);
  });

  test('the charts are drawn, and everything else is derived again from the saved files', async () => {
    const used = loads.find(({ flags }) => flags.length === 0)?.cell;
    const chart = readFileSync(join(out, `charts/waterfall-${used?.arm}-${used?.state}.png`));
    expect(chart.length).toBeGreaterThan(1000);
    const again = new Map<string, string>();
    const write = async (name: string, content: string | Uint8Array) => {
      again.set(name, String(content));
      return join(out, name);
    };
    const tools = { extensionDirectory: await builtExtension(), chromiumPath: null };
    const { text } = await writeResults({ path: out, write }, await readRunDirectory(out), tools);
    expect(ended.stdout).toContain(text);
    expect(again.get('resources.csv')?.split('\n')).toHaveLength(1 + taken.length * 12 + 1);
    for (const file of ['cells.csv', 'resources.csv'])
      expect(again.get(file)).toBe(readFileSync(join(out, file), 'utf8'));
  });
});

test('a page on this machine is recorded with its tree, and a dry run shows it', async () => {
  const served: Record<string, [type: string, body: string]> = {
    '/': [
      'text/html',
      '<!doctype html><link rel="icon" href="data:,"><script src="/a.js"></script>',
    ],
    '/a.js': ['text/javascript', 'fetch("/b.json")'],
    '/b.json': ['application/json', `{"a":"${filler(200)}"}`],
  };
  const site = createServer((request, response) => {
    const [type, body] = served[request.url ?? ''] ?? ['text/plain', ''];
    response.setHeader('content-type', type).setHeader('cache-control', 'max-age=60').end(body);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const har = join(base, 'recorded.har');
  const words = `pageload --url ${url} --save-har ${har} --arms plain --states warm --dry-run`;
  const { code, stdout, stderr } = await cachescope(...words.split(' '));
  site.close();
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('other machines cannot be reached');
  expect(stdout).toMatch(/^index +document .*\n {2}a\.js +script .*\n {4}b\.json +fetch/m);
  const { log } = JSON.parse(readFileSync(har, 'utf8'));
  expect(harProblems({ log })).toEqual([]);
  expect(log.entries[1]).toMatchObject({
    request: { httpVersion: 'http/1.1' },
    response: { statusText: 'OK', content: { text: 'fetch("/b.json")' } },
  });
  expectNothingLeft();
});

test('a malformed archive is refused before anything is created', async () => {
  const har = join(base, 'malformed.har');
  writeFileSync(har, '{"log": {"entries": [');
  const { code, stdout, stderr } = await cachescope('pageload', '--har', har);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^CS_PAGELOAD_PAGE: .*\n {2}- malformed\.har is not JSON/);
  expectNothingLeft();
});
