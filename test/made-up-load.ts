import type { Evidence } from '@cachescope/model/evidence.ts';
import type { Load, Resource, ResourceType } from '@cachescope/model/load.ts';
import { createRandom } from '@cachescope/model/random.ts';
import type { ResourceTiming } from '@cachescope/model/resource-timing.ts';

/** How a made-up resource reaches the page. */
type MadeUpSource = 'network' | 'disk' | 'memory' | 'not-modified' | 'hidden' | 'data';

interface MadeUpKind {
  type: ResourceType;
  mimeType: string;
  initiatorType: string;
  suffix: string;
}

const script: MadeUpKind = {
  type: 'script',
  mimeType: 'text/javascript',
  initiatorType: 'script',
  suffix: 'js',
};
const kinds: readonly MadeUpKind[] = [
  script,
  { type: 'image', mimeType: 'image/png', initiatorType: 'img', suffix: 'png' },
  { type: 'stylesheet', mimeType: 'text/css', initiatorType: 'link', suffix: 'css' },
  { type: 'fetch', mimeType: 'application/json', initiatorType: 'fetch', suffix: 'json' },
  { type: 'font', mimeType: 'font/woff2', initiatorType: 'css', suffix: 'woff2' },
];
const codings = ['br', 'identity', 'dcb', 'gzip', 'zstd', 'dcz'];
const mixes: Record<'cold' | 'warm', readonly MadeUpSource[]> = {
  cold: ['network', 'network', 'network', 'network', 'hidden', 'data'],
  warm: ['disk', 'disk', 'memory', 'not-modified', 'network', 'hidden', 'data'],
};

/** What a made-up load is to hold. */
export interface MadeUpLoadOptions {
  id?: string;
  /** Resources, the document included. */
  count?: number;
  /** `cold`: most from the network; `warm`: most from caches. */
  state?: 'cold' | 'warm';
  seed?: number;
  startedAt?: string;
}

/** A load of one page with known sources and sizes, for tests of what is shown. Not measured. */
export function madeUpLoad({
  id = 'made-up',
  count = 60,
  state = 'warm',
  seed = 7,
  startedAt = '2026-11-20T23:00:00.000Z',
}: MadeUpLoadOptions = {}): Load {
  const random = createRandom(seed);
  const mix = mixes[state];
  const resources = Array.from({ length: count }, (_, sequence) => {
    if (sequence === 0) return madeUpDocument();
    const source = mix[sequence % mix.length] ?? 'network';
    return madeUpResource(sequence, source, random);
  });
  return {
    schemaVersion: 1,
    id,
    url: 'https://shop.example/',
    startedAt,
    navigationType: state === 'cold' ? 'navigate' : 'reload',
    depths: ['page'],
    domContentLoadedMs: 480,
    loadMs: 910,
    resources,
    warnings: [],
  };
}

function madeUpDocument(): Resource {
  return {
    ...madeUpResource(0, 'network', () => 0.5),
    url: 'https://shop.example/',
    type: 'document',
    mimeType: 'text/html',
    initiatorType: 'navigation',
    startMs: 0,
  };
}

function madeUpResource(sequence: number, source: MadeUpSource, random: () => number): Resource {
  const kind = kinds[sequence % kinds.length] ?? script;
  const coding = codings[sequence % codings.length] ?? 'br';
  const decodedBytes = Math.round(2000 + random() ** 3 * 400_000);
  const encodedBytes = coding === 'identity' ? decodedBytes : Math.round(decodedBytes / 4);
  const startMs = 20 + sequence * 0.4 + random() * 600;
  const durationMs = source === 'memory' || source === 'data' ? 0 : 4 + random() * 180;
  const host = source === 'hidden' ? 'cdn.example' : 'shop.example';
  const url =
    source === 'data'
      ? `data:${kind.mimeType};base64,${btoa(String(sequence))}`
      : `https://${host}/assets/${kind.type}-${sequence}.${kind.suffix}?v=${sequence % 7}`;
  const isTold = source !== 'hidden' && source !== 'data';
  return {
    sequence,
    url,
    method: source === 'data' ? null : 'GET',
    status: isTold ? 200 : null,
    type: kind.type,
    mimeType: kind.mimeType,
    initiatorType: kind.initiatorType,
    context: 'document',
    coding: isTold ? coding : null,
    startMs,
    durationMs,
    responseStartMs: isTold ? startMs + durationMs * 0.7 : null,
    transferredBytes: transferred(source, encodedBytes),
    encodedBytes: isTold ? encodedBytes : null,
    decodedBytes: isTold ? decodedBytes : null,
    storedBytes: source === 'disk' && sequence % 3 === 0 ? storedSize(coding, decodedBytes) : null,
    isPreload: false,
    evidence: evidenceOf(source, { startMs, durationMs, encodedBytes, decodedBytes, coding }),
  };
}

function transferred(source: MadeUpSource, encodedBytes: number): number | null {
  if (source === 'hidden' || source === 'data') return null;
  if (source === 'network') return encodedBytes + 321;
  return source === 'not-modified' ? 181 : 0;
}

/** DCB and DCZ lie decoded in the cache, everything else as it came. */
function storedSize(coding: string, decodedBytes: number): number {
  const isDecoded = coding === 'dcb' || coding === 'dcz' || coding === 'identity';
  return 464 + (isDecoded ? decodedBytes : Math.round(decodedBytes / 4));
}

interface MadeUpFigures {
  startMs: number;
  durationMs: number;
  encodedBytes: number;
  decodedBytes: number;
  coding: string;
}

/** What Resource Timing writes in each case (Chromium 156, by experiment). */
function evidenceOf(source: MadeUpSource, figures: MadeUpFigures): Evidence {
  if (source === 'data') return { scheme: 'data' };
  const { startMs, durationMs, encodedBytes, decodedBytes, coding } = figures;
  const responseStart = source === 'memory' ? startMs : startMs + durationMs * 0.7;
  const told: ResourceTiming = {
    deliveryType: source === 'network' ? '' : 'cache',
    initiatorType: 'script',
    nextHopProtocol: source === 'network' ? 'h2' : '',
    transferSize: source === 'network' ? encodedBytes + 300 : source === 'not-modified' ? 300 : 0,
    encodedBodySize: encodedBytes,
    decodedBodySize: decodedBytes,
    responseStatus: 200,
    contentEncoding: coding === 'identity' ? '' : coding,
    contentType: 'text/javascript',
    startTime: startMs,
    duration: durationMs,
    workerStart: 0,
    requestStart: source === 'memory' ? startMs : startMs + durationMs * 0.2,
    firstInterimResponseStart: source === 'disk' ? responseStart : 0,
    finalResponseHeadersStart:
      source === 'network' || source === 'not-modified' ? responseStart : 0,
    responseStart,
    responseEnd: startMs + durationMs,
  };
  if (source !== 'hidden') return { scheme: 'https', page: { timing: told } };
  const hidden: ResourceTiming = {
    ...told,
    deliveryType: '',
    nextHopProtocol: '',
    transferSize: 0,
    encodedBodySize: 0,
    decodedBodySize: 0,
    responseStatus: 0,
    contentEncoding: '',
    contentType: '',
    requestStart: 0,
    firstInterimResponseStart: 0,
    finalResponseHeadersStart: 0,
    responseStart: 0,
  };
  return { scheme: 'https', page: { timing: hidden } };
}
