import { expect, test, vi } from 'vitest';
import {
  FakeElement,
  FakeImage,
  FakeInput,
  FakeLink,
  FakeScript,
  startPage,
} from '../fake-browser/page.ts';
import { SharedUses } from './shared-uses.ts';

const url = 'https://example.test/a.png';
const entry = { startTime: 0, initiatorType: 'img', isPreload: false };

function watching() {
  const page = startPage();
  const uses = new SharedUses();
  const finished = vi.fn();
  uses.watch(finished);
  return { ...page, uses, finished };
}

function image(src = url): FakeImage {
  return new FakeImage('img', { src });
}

test('a load event is a use at its time, with the URL without fragment', async () => {
  const { document, uses, finished, pass } = watching();
  await pass(40);
  document.finish(image(`${url}#part`));
  document.finish(new FakeScript('script', { src: 'https://example.test/a.js' }));
  document.finish(new FakeLink('link', { href: 'https://example.test/a.css' }));
  expect(finished).toHaveBeenCalledTimes(3);
  expect(uses.hasMore).toBe(true);
  expect(uses.take(40)).toEqual([
    { url, tag: 'img', atMs: 40 },
    { url: 'https://example.test/a.js', tag: 'script', atMs: 40 },
    { url: 'https://example.test/a.css', tag: 'link', atMs: 40 },
  ]);
  expect(uses.hasMore).toBe(false);
});

test('an image is a use of its currentSrc', () => {
  const { document, uses } = watching();
  document.finish(new FakeImage('img', { src: url, currentSrc: 'https://example.test/2x.png' }));
  expect(uses.take(0).map((use) => use.url)).toEqual(['https://example.test/2x.png']);
});

test('elements without a resource, and targets that are not elements, are not uses', () => {
  const { document, uses } = watching();
  document.finish(new FakeElement('iframe', { src: url }));
  document.finish(new FakeScript('script'));
  document.dispatchEvent(new Event('load'));
  expect(uses.take(0)).toEqual([]);
});

test('uses wait until their entries must have been delivered; data: URLs do not wait', async () => {
  const { document, uses, pass } = watching();
  document.finish(image());
  await pass(100);
  document.finish(image('data:image/png,1'));
  document.finish(image(`${url}2`));
  expect(uses.take(50).map((use) => use.url)).toEqual([url, 'data:image/png,1']);
  expect(uses.take(100).map((use) => use.url)).toEqual([`${url}2`]);
});

test('each entry belongs to one element of its tag; later elements share the last entry', () => {
  const { uses } = watching();
  uses.know(url, entry);
  uses.know(url, { ...entry, startTime: 10 });
  const use = { url, tag: 'img', atMs: 50 };
  expect(uses.withoutEntry(use)).toBeUndefined();
  expect(uses.withoutEntry(use)).toBeUndefined();
  const shared = { ...use, earlierEntry: { ...entry, startTime: 10 } };
  expect(uses.withoutEntry(use)).toEqual(shared);
  expect(uses.withoutEntry(use)).toEqual(shared);
});

test('an element that uses a preloaded resource shares the preload’s entry', () => {
  const { uses } = watching();
  const preload = { startTime: 0, initiatorType: 'link', isPreload: true };
  uses.know(url, preload);
  const use = { url, tag: 'img', atMs: 50 };
  expect(uses.withoutEntry(use)).toEqual({ ...use, earlierEntry: preload });
});

test('the entry of an early hint belongs to the first element', () => {
  const { uses } = watching();
  const hint = { startTime: 0, initiatorType: 'early-hints', isPreload: true };
  uses.know(url, hint);
  const use = { url, tag: 'img', atMs: 50 };
  expect(uses.withoutEntry(use)).toBeUndefined();
  expect(uses.withoutEntry(use)).toEqual({ ...use, earlierEntry: hint });
});

test('an entry fetched after an element finished is not shared with it', () => {
  const { uses } = watching();
  uses.know(url, { ...entry, startTime: 60 });
  expect(uses.withoutEntry({ url, tag: 'img', atMs: 50 })).toBeUndefined();
  // The earlier element has not claimed the later element's entry.
  expect(uses.withoutEntry({ url, tag: 'img', atMs: 70 })).toBeUndefined();
});

test('a use without a known entry is ignored, unless its URL needs none', () => {
  const { uses } = watching();
  expect(uses.withoutEntry({ url, tag: 'img', atMs: 50 })).toBeUndefined();
  const inline = { url: 'DATA:,', tag: 'img', atMs: 50 };
  expect(uses.withoutEntry(inline)).toEqual({ ...inline, earlierEntry: undefined });
});

test('preload links are recognized at their load event and in the document', () => {
  const { document, uses } = watching();
  const link = new FakeLink('link', { href: `${url}#x`, rel: 'preload' });
  document.finish(link);
  // The page may change the link afterwards.
  link.rel = 'stylesheet';
  document.links = [
    link,
    new FakeLink('link', { href: `${url}2`, rel: 'modulepreload' }),
    new FakeLink('link', { href: `${url}3`, rel: 'stylesheet' }),
  ];
  uses.notePreloads();
  expect([url, `${url}2`, `${url}3`].map((each) => uses.isPreloaded(each))).toEqual([
    true,
    true,
    false,
  ]);
});

test('after unwatch no element is seen', () => {
  const { document, uses, finished } = watching();
  uses.unwatch();
  document.finish(image());
  expect(finished).not.toHaveBeenCalled();
});

test('a use is known by its URL without the fragment, as DevTools reports it, also of a data: URL', () => {
  const { document, uses } = watching();
  for (const address of ['data:image/svg+xml,<svg/>#view', 'data:image/png,1']) {
    document.finish(image(address));
  }
  expect(uses.take(0).map((use) => use.url)).toEqual([
    'data:image/svg+xml,<svg/>',
    'data:image/png,1',
  ]);
});

test('a Content-Security-Policy violation belongs to its entry, or is a use without one', () => {
  const { document, uses } = watching();
  const violation = (blockedURI: string, disposition = 'enforce') =>
    document.tell('securitypolicyviolation', {
      blockedURI,
      disposition,
      effectiveDirective: 'img-src',
    });
  violation(url);
  violation(`${url}2`);
  violation('inline');
  violation(url, 'report');
  expect(uses.forbids(url, { responseStatus: 200 })).toBeUndefined();
  expect(uses.forbids(url, { responseStatus: 0 })).toBe('img-src');
  expect(uses.forbids(url, { responseStatus: 0 })).toBeUndefined();
  const found = uses.take(0).map((use) => uses.withoutEntry(use));
  expect(found).toEqual([undefined, { url: `${url}2`, tag: '', atMs: 0, blockedBy: 'img-src' }]);
});

test('an image button with two load events is one use, and a modulepreload has its own entry', () => {
  const { document, uses } = watching();
  const button = new FakeInput('input', { src: url });
  document.finish(button);
  document.finish(button);
  expect(uses.take(0)).toHaveLength(1);
  uses.know(url, { startTime: 0, initiatorType: 'script', isPreload: true });
  expect(uses.withoutEntry({ url, tag: 'link', atMs: 0 })).toBeUndefined();
});

test.each([
  ['an image that a link fetched', 'img', true],
  ['a style sheet, whose own entry looks the same', 'link', false],
])('%s was preloaded: %#', (_case, tag, isPreload) => {
  const { uses } = watching();
  uses.know(url, { startTime: 0, initiatorType: 'link', isPreload: false });
  const finished = { url, tag, atMs: 40 };
  // The first load event of a style sheet belongs to its entry.
  const use = tag === 'link' ? [finished, finished] : [finished];
  expect(use.map((each) => uses.withoutEntry(each)).at(-1)?.earlierEntry).toMatchObject({
    isPreload,
  });
});
