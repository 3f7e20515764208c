import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import type { Page, PageResource } from '@cachescope/model/pageload/page.ts';
import { expect, test } from 'vitest';
import { pageBody } from './pageload-body.ts';

function resource(change: Partial<PageResource>): PageResource {
  const type = change.type ?? 'script';
  const mimeTypes: Record<string, string> = {
    document: 'text/html',
    stylesheet: 'text/css',
    script: 'text/javascript',
    image: 'image/png',
  };
  return {
    url: `https://site.example/${change.name}`,
    name: 'r',
    type,
    mimeType: mimeTypes[type] ?? 'application/json',
    bodyBytes: 5000,
    wireShare: 0.3,
    coding: 'br',
    caching: 'fresh',
    parent: 0,
    priority: null,
    ...change,
  };
}

const page: Page = {
  source: 'made up',
  bodies: 'synthetic',
  resources: [
    resource({ type: 'document', name: 'index', parent: null }),
    resource({ type: 'stylesheet', name: 'a.css' }),
    resource({ type: 'script', name: 'b.js' }),
    resource({ type: 'script', name: 'c.js', priority: 'Low' }),
    resource({ type: 'font', name: 'd.woff2', parent: 1 }),
    resource({ type: 'image', name: 'e.png', parent: 1 }),
    resource({ type: 'fetch', name: 'f.json', parent: 2 }),
    resource({ type: 'image', name: 'g.png', parent: 2, bodyBytes: 43 }),
    resource({ type: 'image', name: 'h.svg', mimeType: 'image/svg+xml' }),
  ],
};
const text = (place: number) => pageBody(page, place).bytes.toString('latin1');

test('every body has the size that the page specifies', () => {
  const sizes = page.resources.map((_, place) => pageBody(page, place).bytes.length);
  expect(sizes).toEqual(page.resources.map(({ bodyBytes }) => bodyBytes));
});

test('the document requests its own children, and has elements for the resources of its styles', () => {
  const html = text(0);
  expect(html).toMatch(/^<!doctype html>/);
  expect(html).toContain('<link rel="stylesheet" href="/pageload/new/1/a.css">');
  expect(html).toContain('<script src="/pageload/new/2/b.js"></script>');
  expect(html).toContain('<script async src="/pageload/new/3/c.js"></script>');
  expect(html).toContain('<img alt="" src="/pageload/new/8/h.svg">');
  expect(html).toContain('<i class="u4">a</i><i class="u5">a</i>');
  expect(html).not.toMatch(/new\/[4567]\//);
  // The payload is distributed between the elements.
  expect(html.match(/<!--/g)).toHaveLength(4);
});

test('a stylesheet and a script request their children', () => {
  expect(text(1)).toMatch(/@font-face\{font-family:f4;src:url\(\/pageload\/new\/4\/d.woff2\)\}/);
  expect(text(1)).toContain('.u5{background-image:url(/pageload/new/5/e.png)}');
  expect(text(2)).toContain("fetch('/pageload/new/6/f.json')");
  expect(text(2)).toContain("a('img',{src:'/pageload/new/7/g.png'})");
  expect(() => new Script(text(2))).not.toThrow();
});

test('an image is a valid PNG, a small one a GIF', () => {
  const { bytes } = pageBody(page, 5);
  expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  const names: string[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const body = bytes.subarray(at + 4, at + 8 + length);
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    names.push(body.subarray(0, 4).toString());
    at += 12 + length;
  }
  expect(names).toEqual(['IHDR', 'csPd', 'IDAT', 'IEND']);
  expect(pageBody(page, 7).bytes.subarray(0, 6).toString()).toBe('GIF89a');
});

test('the markup that requests children is never truncated: the body becomes larger instead', () => {
  const small = { ...page, resources: page.resources.map((each) => ({ ...each, bodyBytes: 10 })) };
  const html = pageBody(small, 0).bytes.toString();
  expect(html).toContain('/pageload/new/8/h.svg');
  expect(html).toMatch(/<\/html>$/);
});

test('a recorded text is in the body and is never executed', () => {
  const code = `fetch("https://evil.example/"); /* a */ ${'x'.repeat(6000)}`;
  const js = pageBody(page, 3, { text: code, isBase64: false }).bytes.toString();
  expect(js.length).toBe(5000);
  expect(js.startsWith('/*fetch("https://evil.example/"); /* a * ')).toBe(true);
  expect(js.indexOf('*/')).toBe(4998);
  const markup = `--><script src="https://evil.example/"></script>${'x'.repeat(6000)}`;
  const html = pageBody(page, 0, { text: markup, isBase64: false }).bytes.toString();
  expect(html).not.toContain('--><script src="https://evil');
  expect(html).toContain('<script src="https://evil.example/"');
  expect(html.indexOf('src="https://evil')).toBeGreaterThan(html.indexOf('<!--'));
});

test('recorded bytes of other types are unchanged', () => {
  const body = pageBody(page, 4, { text: 'AAECAwQ=', isBase64: true });
  expect([...body.bytes]).toEqual([0, 1, 2, 3, 4]);
});
