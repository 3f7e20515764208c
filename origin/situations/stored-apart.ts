import {
  type Came,
  fresh,
  outcome,
  page,
  readsResource,
  revalidated,
  script,
  shared,
  situation,
  storable,
  text,
  timed,
  visit,
} from './page.ts';
import type { ServedFile, Situation } from './situation.ts';

const runsForeign = `await script(elsewhere + 'resource');`;
const readsForeign = `await read(elsewhere + 'resource');`;
const hidden = { page: runsForeign, resource: script() };
const withTimes = {
  page: runsForeign,
  resource: script({ headers: { ...storable, 'timing-allow-origin': '*' } }),
};

/** With Timing-Allow-Origin the page is told as much as of its own; without, next to nothing. */
export const crossOrigin: readonly Situation[] = [
  situation('cross-origin-network-hidden', 'once', 'network', hidden),
  situation('cross-origin-memory-hidden', 'twice', 'memory', hidden),
  situation('cross-origin-disk-hidden', 'thenInNewTab', 'disk', hidden),
  situation('cross-origin-cors-disk-hidden', 'twice', 'disk', {
    page: readsForeign,
    resource: text({ coding: 'br', headers: { ...storable, ...shared } }),
  }),
  situation('cross-origin-network-timed', 'once', 'network', withTimes),
  situation('cross-origin-disk-timed', 'thenInNewTab', 'disk', withTimes),
];

const resource = text({ headers: { ...storable, ...timed } });
const goes = page(`location.href = elsewhere + 'page';`, { isPassage: true });
const goer = { goes, page: `await read(here + 'resource');`, resource };
const framing = (place: string) => ({
  page: `
    document.body.append(Object.assign(document.createElement('iframe'), { src: ${place} + 'frame' }));
    await new Promise((resolve) => addEventListener('message', resolve));`,
  frame: `await read('resource'); parent.postMessage('ended', '*');`,
  resource,
});
const thenGoes = [visit('fill'), visit('goes')];
const networkOrDisk = { ...outcome('network'), otherwise: [outcome('disk')] };

/** Chromium keeps the entries of each top-level site and frame site apart: one URL may be stored several times. */
export const partitions: readonly Situation[] = [
  situation('partition-of-other-top-level-site', thenGoes, 'network', {
    fill: readsForeign,
    ...goer,
  }),
  situation('partition-of-same-top-level-site', [visit('goes'), visit('goes')], 'disk', goer),
  situation('partition-of-frame-of-other-site', 'afterFill', networkOrDisk, {
    fill: readsForeign,
    ...framing('elsewhere'),
  }),
  situation('partition-of-same-frame-of-other-site', 'twice', 'disk', framing('elsewhere')),
  situation('partition-of-frame-of-same-site', 'afterFill', 'disk', {
    fill: readsResource,
    ...framing('here'),
  }),
  situation('partition-of-frame-under-other-top-level-site', thenGoes, networkOrDisk, {
    goes,
    fill: readsForeign,
    ...framing('here'),
  }),
];

/** Stored, and to be chosen by these request header fields (RFC 9111 section 4.1). */
const varies = (vary: string, more: Partial<ServedFile> = {}) =>
  text({ headers: { ...storable, vary }, ...more });
const asks = (value: string) => `await read('resource', { headers: { 'x-variant': '${value}' } });`;
const cookie = (value: string) =>
  `document.cookie = 'variant=${value}; path=' + new URL(here).pathname; await read('resource');`;

const varied = (
  name: string,
  came: Came,
  [first, second]: readonly [string, string],
  resource: ServedFile,
): Situation =>
  situation(`vary-${name}`, [visit('first'), visit('second')], came, {
    first,
    second,
    resource,
  });

/** Vary: whether the stored response answers the next request. */
export const vary: readonly Situation[] = [
  varied('same-field', 'disk', [asks('a'), asks('a')], varies('x-variant')),
  varied('other-field', 'network', [asks('a'), asks('b')], varies('x-variant')),
  varied(
    'other-field-confirmed',
    revalidated,
    [asks('a'), asks('b')],
    varies('x-variant', { isConditional: true }),
  ),
  varied('any', 'network', [asks('a'), asks('a')], varies('*')),
  varied('same-cookie', 'disk', [cookie('a'), cookie('a')], varies('cookie')),
  varied('other-cookie', 'network', [cookie('a'), cookie('b')], varies('cookie')),
  varied(
    'unstorable',
    'network',
    [asks('a'), asks('a')],
    text({ headers: { ...fresh.headers, vary: 'x-variant' } }),
  ),
];
