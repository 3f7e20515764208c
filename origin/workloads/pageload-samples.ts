import { harArchive, type HarExchange, isoDate } from '@cachescope/model/har/archive.ts';
import { mimeTypeOf } from '@cachescope/model/pageload/page.ts';
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
  initiator?: string | undefined;
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

/** The next size from a distribution as on the web: most small, few large (log-normal; HTTP Archive's medians and tails). */
function sizes(random: () => number, medianBytes: number, spread: number): () => number {
  return () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(43, Math.round(medianBytes * Math.exp(spread * normal)));
  };
}

/** The usual priority of a type; that of all others is low. */
const priorities: Readonly<Record<string, string>> = {
  document: 'VeryHigh',
  stylesheet: 'VeryHigh',
  font: 'VeryHigh',
  fetch: 'High',
};

/**
 * A number of similar resources: `#` in their URL is the index of each. `by` request them in turns; without any it is the
 * navigation. `other`: fields that are not usual for the type, or not kept for a year.
 */
function alike(
  [type, count, url]: readonly [type: string, count: number, url: string],
  bytes: () => number,
  by: readonly Sketch[],
  other: (index: number) => Partial<Sketch> = () => ({}),
): Sketch[] {
  return Array.from({ length: count }, (_, index) => ({
    type,
    url: url.replaceAll('#', `${index}`),
    bytes: bytes(),
    mimeType: mimeTypeOf(type),
    priority: priorities[type] ?? 'Low',
    caching: year,
    initiator: by[index % by.length]?.url,
    ...other(index),
  }));
}

/**
 * 300 resources: document, styles with fonts and icons, own scripts, a tag manager and the resources it loads, images,
 * beacons.
 */
function newsPage(): Sketch[] {
  const random = createRandom(300);
  const sized = (medianBytes: number, spread: number) => sizes(random, medianBytes, spread);
  const site = 'https://www.news.example/';
  const personal = { caching: 'private, no-cache' };
  const document = alike(
    ['document', 1, site],
    () => 180_000,
    [],
    () => personal,
  );
  const styles = alike(['stylesheet', 6, `${site}css/part-#.css`], sized(40_000, 0.7), document);
  const scripts = alike(
    ['script', 14, `${site}js/part-#.js`],
    sized(60_000, 0.9),
    document,
    (index) => ({ priority: index < 4 ? 'High' : 'Low' }),
  );
  const fonts = alike(
    ['font', 6, 'https://fonts.example/text-#.woff2'],
    sized(24_000, 0.3),
    styles,
  );
  const icons = alike(['image', 18, `${site}icons/icon-#.svg`], sized(1800, 0.6), styles, () => ({
    mimeType: 'image/svg+xml',
  }));
  const photos = alike(
    ['image', 120, 'https://img.news.example/photo-#.jpg'],
    sized(14_000, 1.1),
    document,
    (index) => ({
      mimeType: 'image/jpeg',
      priority: index < 2 ? 'High' : 'Low',
      caching: 'public, max-age=86400',
    }),
  );
  const tags = alike(
    ['script', 45, 'https://tag-#.ads.example/tag.js'],
    sized(28_000, 1),
    scripts.slice(8, 9),
    (index) => ({
      isCalled: true,
      ...(index % 3 === 0 ? personal : { caching: 'public, max-age=3600' }),
    }),
  );
  const beacons = alike(
    ['image', 60, 'https://pixel-#.ads.example/pixel.gif?id=#'],
    () => 43,
    tags,
    () => ({ mimeType: 'image/gif', caching: 'no-store', isCalled: true }),
  );
  const answers = alike(
    ['fetch', 30, `${site}api/box-#.json`],
    sized(4000, 0.8),
    scripts,
    (index) => ({ caching: index % 2 === 0 ? 'no-cache' : 'public, max-age=60', isCalled: true }),
  );
  return [document, styles, scripts, fonts, icons, photos, tags, beacons, answers].flat();
}

/** A document, a stylesheet with two fonts, and 40 scripts: a loader loads the others in three waves. */
function appPage(): Sketch[] {
  const scriptBytes = sizes(createRandom(40), 220_000, 0.6);
  const site = 'https://app.example/';
  const wave = (count: number, from: number, by: readonly Sketch[], other: Partial<Sketch>) =>
    alike(['script', count, ''], scriptBytes, by, (index) => ({
      url: `${site}assets/chunk-${from + index}.js`,
      ...other,
    }));
  const document = alike(
    ['document', 1, site],
    () => 6000,
    [],
    () => ({ caching: 'no-cache' }),
  );
  const style = alike(['stylesheet', 1, `${site}assets/app.css`], () => 150_000, document);
  const fonts = alike(['font', 2, `${site}assets/text-#.woff2`], () => 48_000, style);
  const first = wave(4, 0, document, { priority: 'High' });
  const second = wave(16, 4, first, { isCalled: true });
  const third = wave(20, 20, second, { isCalled: true });
  return [document, style, first, fonts, second, third].flat();
}
