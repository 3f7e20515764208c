import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { entry, har } from '../fixtures/har.ts';
import { readHarPage } from './har.ts';
import type { ReadPage } from './page.ts';

const url = (path: string) => `https://site.example/${path}`;

/** One entry; `change` overrides its fields, `response` those of its response. */
function asked(path: string, change: object = {}, response: object = {}): object {
  const request = { method: 'GET', url: url(path), headers: [] };
  return entry({ request, _initiator: { type: 'parser', url: url('') }, ...change }, response);
}

const document = asked('', { _resourceType: 'document', _initiator: { type: 'other' } });

function read(entries: object[], bodies: 'synthetic' | 'recorded' = 'synthetic'): ReadPage {
  const parsed = readHarPage({ name: 'x.har', json: har(entries) }, bodies);
  if ('problems' in parsed) throw new Error(parsed.problems.join('\n'));
  return parsed.value;
}

function problems(entries: unknown): string[] {
  const parsed = readHarPage({ name: 'x.har', json: har(entries) }, 'synthetic');
  return 'problems' in parsed ? parsed.problems : [];
}

const resource = (response: object, change: object = {}) =>
  read([document, asked('a.js', change, response)]).page.resources[1];

test('an entry becomes a resource with its size, type, priority, coding and compressibility', () => {
  expect(read([document, asked('js/a.js?v=1')]).page.resources[1]).toEqual({
    url: url('js/a.js?v=1'),
    name: 'a.js',
    type: 'script',
    mimeType: 'text/javascript',
    bodyBytes: 5031,
    wireShare: 704 / 5031,
    coding: 'br',
    caching: 'fresh',
    parent: 0,
    priority: 'High',
  });
});

test('the tree follows initiators: markup, the nearest call frame, the stack that created a timer, Referer', () => {
  const byStack = (frames: string[], parent?: object) => ({
    type: 'script',
    stack: { callFrames: frames.map((path) => ({ url: path && url(path) })), parent },
  });
  const { page } = read([
    document,
    asked('a.js'),
    asked('b.js', { _initiator: byStack(['', 'a.js', 'other.js']) }),
    asked('c.js', { _initiator: byStack([], { callFrames: [{ url: url('b.js') }] }) }),
    asked('d.css', { _resourceType: 'stylesheet' }, { content: { size: 9, mimeType: 'text/css' } }),
    asked('e.woff2', { _resourceType: 'font', _initiator: { type: 'parser', url: url('d.css') } }),
    asked('f.js', { _initiator: { type: 'parser', url: url('d.css') } }),
    asked('g.js', {
      _initiator: undefined,
      request: {
        method: 'GET',
        url: url('g.js'),
        headers: [{ name: 'Referer', value: url('a.js') }],
      },
    }),
    asked('h.js', { _initiator: { type: 'script', url: url('later.js') } }),
    asked('later.js'),
  ]);
  const tree = page.resources.map(({ name, parent }) => [
    name,
    parent === null ? null : page.resources[parent]?.name,
  ]);
  expect(tree).toEqual([
    ['index', null],
    ['a.js', 'index'],
    ['b.js', 'a.js'],
    ['c.js', 'b.js'],
    ['d.css', 'index'],
    ['e.woff2', 'd.css'],
    // A stylesheet requests no script.
    ['f.js', 'index'],
    ['g.js', 'a.js'],
    // A later resource cannot be the initiator.
    ['h.js', 'index'],
    ['later.js', 'index'],
  ]);
});

test.each([
  ['max-age=60', 'fresh'],
  ['no-cache', 'stale'],
  ['max-age=0, must-revalidate', 'stale'],
  ['private, no-store', 'no-store'],
  ['No-Store', 'no-store'],
])('Cache-Control: %s is %s', (value, caching) => {
  expect(resource({ headers: [{ name: 'cache-control', value }] })?.caching).toBe(caching);
});

test('without explicit freshness a response has heuristic freshness', () => {
  const date = { name: 'Date', value: 'Fri, 20 Nov 2026 23:00:00 GMT' };
  const modified = { name: 'Last-Modified', value: 'Fri, 20 Nov 2020 23:00:00 GMT' };
  expect(resource({ headers: [date] })?.caching).toBe('stale');
  expect(resource({ headers: [date, modified] })?.caching).toBe('fresh');
});

test.each([
  ['br', 'br'],
  ['GZIP', 'gzip'],
  ['deflate', 'gzip'],
  ['dcb', 'br'],
  ['dcz', 'zstd'],
  ['unheard-of', 'identity'],
])('Content-Encoding %s is served as %s', (value, coding) => {
  expect(resource({ headers: [{ name: 'content-encoding', value }] })?.coding).toBe(coding);
});

test('a cache hit has no size on the wire, so the usual share is used', () => {
  const content = { size: 5031, mimeType: 'text/javascript' };
  expect(resource({ bodySize: 0, content })?.wireShare).toBe(0.28);
});

test.each(['dcb', 'dcz'])('the size of a %s response is not that of its body alone', (coding) => {
  const headers = [{ name: 'content-encoding', value: coding }];
  const content = { size: 1_037_847, mimeType: 'text/javascript' };
  expect(resource({ bodySize: 8546, content, headers })?.wireShare).toBe(0.28);
});

test('requests that cannot be replayed are excluded, and reported by reason', () => {
  const { page, notes } = read([
    document,
    asked('a.js'),
    asked('a.js'),
    asked('b', { request: { method: 'POST', url: url('b'), headers: [] } }),
    asked('c', {}, { status: 302 }),
    asked('d', {}, { status: 404 }),
    asked('e', {}, { status: 0 }),
    asked('f', {}, { content: { size: 0, mimeType: 'image/gif' }, bodySize: 0 }),
    asked('g', { request: { method: 'GET', url: 'data:text/css,a', headers: [] } }),
  ]);
  expect(page.resources.map(({ name }) => name)).toEqual(['index', 'a.js']);
  expect(notes).toEqual([
    'Excluded: 1 request (a URL that came before).',
    'Excluded: 1 request (not GET).',
    'Excluded: 1 request (redirects).',
    'Excluded: 2 requests (failed).',
    'Excluded: 1 request (bodies of 0 bytes).',
    'Excluded: 1 request (not by HTTP).',
  ]);
});

test.each([
  ['a time in words', { time: 'long' }, {}, 'log.entries.1: time: Invalid input'],
  [
    '3 GB',
    {},
    { content: { size: 3 * 1024 ** 3, mimeType: 'image/png' } },
    '3221225472 bytes; at most 67108864',
  ],
  ['no date', { startedDateTime: '' }, {}, 'startedDateTime: expected a date'],
])('an entry with %s is excluded, and reported', (_what, change, response, message) => {
  const { page, notes } = read([document, asked('a', change, response)]);
  expect(page.resources).toHaveLength(1);
  expect(notes.join()).toMatch(/^Excluded: 1 item of the archive that cannot be used \(x\.har: /);
  expect(notes.join()).toContain(message);
});

test('a negative number is unknown, and not a problem', () => {
  const odd = asked('a.js', { time: -1, timings: { wait: -12 } }, { bodySize: -161 });
  expect(read([document, odd]).page.resources).toHaveLength(2);
  expect(read([document, odd]).notes).toEqual([]);
});

test('an archive without a document, and a file that is no archive, are refused', () => {
  expect(problems([asked('a.js')])[0]).toContain('no document with a body');
  expect(problems('none').length).toBeGreaterThan(0);
  expect(problems([{}]).length).toBeGreaterThan(0);
});

test('recorded bodies are keyed by the index of their resource', () => {
  const content = { size: 3, mimeType: 'image/png', text: 'AAEC', encoding: 'base64' };
  const { bodies, notes } = read(
    [document, asked('a.png', { _resourceType: 'image' }, { content })],
    'recorded',
  );
  expect([...bodies]).toEqual([[1, { text: 'AAEC', isBase64: true }]]);
  expect(notes).toEqual(['The archive holds 1 of 2 bodies; the others are synthetic.']);
});

const text = 'let é = 1;\n'.repeat(100);
const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64');

test.each([
  ['text', { text }, true],
  ['Base64', { text: base64(text), encoding: 'base64' }, true],
  ['text that is called Base64', { text, encoding: 'base64' }, false],
  ['Base64 that is not called so', { text: base64(text) }, false],
  ['Brotli in Base64', { text: base64(brotliCompressSync(text)), encoding: 'base64' }, false],
  ['cut text', { text: text.slice(0, 700) }, false],
  ['cut Base64', { text: base64(text).slice(0, 700), encoding: 'base64' }, false],
  ['text in another encoding', { text: text.replaceAll('é', '\uFFFD') }, false],
])('a recorded body as %s', (_what, content, isBody) => {
  const size = Buffer.byteLength(text);
  const script = asked('a.js', {}, { content: { size, mimeType: 'text/javascript', ...content } });
  const { page, bodies, notes } = read([document, script], 'recorded');
  expect(page.resources[1]?.bodyBytes).toBe(size);
  expect(bodies.has(1)).toBe(isBody);
  const wrong = notes.filter((note) => note.startsWith('Synthetic, because'));
  expect(wrong).toHaveLength(isBody ? 0 : 1);
  if (!isBody) expect(wrong[0]).toContain('https://site.example/a.js');
});
