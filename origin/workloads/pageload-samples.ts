import { harArchive, type HarExchange, isoDate } from '@cachescope/model/har/archive.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';

/** One resource of a made-up page, before it becomes a HAR entry. */
interface Sketch {
  type: string;
  url: string;
  bytes: number;
  mimeType: string;
  priority: string;
  /** Cache-Control. */
  caching: string;
  /** URL of its initiator; absent for the document. */
  initiator?: string;
  /** Requested by a call in a script, not by markup. */
  isCalled?: boolean;
}

/** The samples included in the project, by name. */
export const samplePages = {
  news: 'a news-like page of 300 resources',
  app: 'an application of 40 large scripts',
} as const;
export type SamplePage = keyof typeof samplePages;

/** True for the name of a sample. */
export function isSamplePage(name: string): name is SamplePage {
  return Object.hasOwn(samplePages, name);
}

/** A HAR of a made-up page in the format of DevTools, identical on every machine. None of its hosts exists. */
export function sampleHar(name: SamplePage): object {
  const sketches = name === 'news' ? newsPage() : appPage();
  const page = {
    id: 'page_1',
    startedDateTime: isoDate(startedAt),
    title: sketches[0]?.url ?? '',
    pageTimings: { onLoad: -1 },
  };
  return harArchive({ name: 'WebInspector', version: '537.36' }, [page], sketches.map(exchangeOf));
}

const startedAt = Date.UTC(2026, 0, 15, 8);
const year = 'public, max-age=31536000, immutable';
const day = 'public, max-age=86400';
const textShare = 0.27;

function exchangeOf(sketch: Sketch, index: number): HarExchange {
  const { type, url, bytes, mimeType, priority, caching, initiator, isCalled } = sketch;
  const isCoded = !['image', 'font', 'media'].includes(type) || mimeType === 'image/svg+xml';
  const bodyBytes = isCoded ? Math.ceil(bytes * textShare) : bytes;
  const byScript = { type: 'script', stack: { callFrames: [{ url: initiator }] } };
  const byMarkup = initiator === undefined ? { type: 'other' } : { type: 'parser', url: initiator };
  return {
    pageref: 'page_1',
    startedAtMs: startedAt + index,
    method: 'GET',
    url,
    status: 200,
    statusText: 'OK',
    httpVersion: 'h2',
    responseHeaders: [
      ['content-type', mimeType],
      ['cache-control', caching],
      ...(isCoded ? [['content-encoding', 'br'] as const] : []),
    ],
    timings: { blocked: -1, dns: -1, connect: -1, send: 0, wait: 15, receive: 5 },
    bodyBytes,
    content: { size: bytes, mimeType, compression: bytes - bodyBytes },
    custom: {
      _resourceType: type,
      _priority: priority,
      _initiator: isCalled ? byScript : byMarkup,
    },
  };
}

/** Sizes distributed as on the web: most small, few large (log-normal; HTTP Archive's medians and tails). */
function spreadBytes(random: () => number, medianBytes: number, spread: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.max(43, Math.round(medianBytes * Math.exp(spread * normal)));
}

/**
 * 300 resources: document, styles with fonts and icons, own scripts, a tag manager and the resources it loads, images,
 * beacons.
 */
function newsPage(): Sketch[] {
  const random = createRandom(300);
  const site = 'https://www.news.example/';
  const sketches: Sketch[] = [];
  const add = (sketch: Sketch): string => {
    sketches.push(sketch);
    return sketch.url;
  };
  const many = (count: number, make: (index: number) => Sketch) =>
    Array.from({ length: count }, (_, index) => add(make(index)));
  const document = add({
    type: 'document',
    url: site,
    bytes: 180_000,
    mimeType: 'text/html',
    priority: 'VeryHigh',
    caching: 'private, no-cache',
  });
  const styles = many(6, (index) => ({
    type: 'stylesheet',
    url: `${site}css/part-${index}.css`,
    bytes: spreadBytes(random, 40_000, 0.7),
    mimeType: 'text/css',
    priority: 'VeryHigh',
    caching: year,
    initiator: document,
  }));
  const scripts = many(14, (index) => ({
    type: 'script',
    url: `${site}js/part-${index}.js`,
    bytes: spreadBytes(random, 60_000, 0.9),
    mimeType: 'text/javascript',
    priority: index < 4 ? 'High' : 'Low',
    caching: year,
    initiator: document,
  }));
  many(6, (index) => ({
    type: 'font',
    url: `https://fonts.example/text-${index}.woff2`,
    bytes: spreadBytes(random, 24_000, 0.3),
    mimeType: 'font/woff2',
    priority: 'VeryHigh',
    caching: year,
    initiator: styles[index % styles.length] ?? document,
  }));
  many(18, (index) => ({
    type: 'image',
    url: `${site}icons/icon-${index}.svg`,
    bytes: spreadBytes(random, 1800, 0.6),
    mimeType: 'image/svg+xml',
    priority: 'Low',
    caching: year,
    initiator: styles[index % styles.length] ?? document,
  }));
  many(120, (index) => ({
    type: 'image',
    url: `https://img.news.example/photo-${index}.jpg`,
    bytes: spreadBytes(random, 14_000, 1.1),
    mimeType: 'image/jpeg',
    priority: index < 2 ? 'High' : 'Low',
    caching: day,
    initiator: document,
  }));
  const manager = scripts[8] ?? document;
  const tags = many(45, (index) => ({
    type: 'script',
    url: `https://tag-${index}.ads.example/tag.js`,
    bytes: spreadBytes(random, 28_000, 1),
    mimeType: 'text/javascript',
    priority: 'Low',
    caching: index % 3 === 0 ? 'private, no-cache' : 'public, max-age=3600',
    initiator: manager,
    isCalled: true,
  }));
  many(60, (index) => ({
    type: 'image',
    url: `https://pixel-${index}.ads.example/pixel.gif?id=${index}`,
    bytes: 43,
    mimeType: 'image/gif',
    priority: 'Low',
    caching: 'no-store',
    initiator: tags[index % tags.length] ?? document,
    isCalled: true,
  }));
  many(30, (index) => ({
    type: 'fetch',
    url: `${site}api/box-${index}.json`,
    bytes: spreadBytes(random, 4000, 0.8),
    mimeType: 'application/json',
    priority: 'High',
    caching: index % 2 === 0 ? 'no-cache' : 'public, max-age=60',
    initiator: scripts[index % scripts.length] ?? document,
    isCalled: true,
  }));
  return sketches;
}

/** A document, a stylesheet with two fonts, and 40 scripts: a loader loads the others in three waves. */
function appPage(): Sketch[] {
  const random = createRandom(40);
  const site = 'https://app.example/';
  const script = (index: number, initiator: string, isCalled: boolean): Sketch => ({
    type: 'script',
    url: `${site}assets/chunk-${index}.js`,
    bytes: spreadBytes(random, 220_000, 0.6),
    mimeType: 'text/javascript',
    priority: isCalled ? 'Low' : 'High',
    caching: year,
    initiator,
    isCalled,
  });
  const about = { mimeType: 'text/html', priority: 'VeryHigh', caching: 'no-cache' };
  const document: Sketch = { type: 'document', url: site, bytes: 6000, ...about };
  const style: Sketch = {
    type: 'stylesheet',
    url: `${site}assets/app.css`,
    bytes: 150_000,
    mimeType: 'text/css',
    priority: 'VeryHigh',
    caching: year,
    initiator: site,
  };
  const fonts = [0, 1].map((index): Sketch => ({
    type: 'font',
    url: `${site}assets/text-${index}.woff2`,
    bytes: 48_000,
    mimeType: 'font/woff2',
    priority: 'VeryHigh',
    caching: year,
    initiator: style.url,
  }));
  const first = Array.from({ length: 4 }, (_, index) => script(index, site, false));
  const second = Array.from({ length: 16 }, (_, index) =>
    script(4 + index, first[index % 4]?.url ?? site, true),
  );
  const third = Array.from({ length: 20 }, (_, index) =>
    script(20 + index, second[index % 16]?.url ?? site, true),
  );
  return [document, style, ...first, ...fonts, ...second, ...third];
}
