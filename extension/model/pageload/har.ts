import { parsedList } from './checked-list.ts';
import { readHar } from './har-import.ts';
import {
  bodyBytesOf,
  type ReplayEntry,
  replayEntrySchema,
  resourceOf,
  typeOf,
  urlOf,
} from './pageload-har-resource.ts';
import { placeInTree } from './pageload-initiator.ts';
import {
  largestBodyBytes,
  type Page,
  pageProblems,
  type ReadPage,
  type RecordedBody,
} from './pageload-page.ts';
import { checked, type Parsed } from './parsed.ts';
import { counted } from './quantity.ts';
import type { NamedJson } from './run-experiment.ts';

/**
 * Reads the page of an HTTP Archive: its first page's requests as a tree by initiator, with sizes, types, priorities,
 * cacheability and, with `recorded`, bodies. What cannot be replayed is left out and told; nothing of it is ever
 * contacted. Problems come all at once.
 */
export function readHarPage({ name, json }: NamedJson, bodies: Page['bodies']): Parsed<ReadPage> {
  const har = readHar({ name, json });
  if ('problems' in har) return har;
  const { log } = json as { log: { entries: unknown[]; pages?: { id: string }[] | null } };
  const entries = parsedList(`${name}: log.entries`, log.entries, readEntry);
  if ('problems' in entries) return entries;
  const own = entriesOfFirstPage(entries.value, log.pages ?? []);
  return pageOf(name, own, entries.value.length - own.length, bodies);
}

/** Bodies and times below 0 are no entry's; -1 is HAR's word for unknown. */
function readEntry(place: string, item: unknown): Parsed<ReplayEntry> {
  const entry = checked(place, replayEntrySchema, item);
  if ('problems' in entry) return entry;
  const { time, timings = {}, response } = entry.value;
  const numbers: [name: string, value: unknown][] = [
    ['time', time],
    ...Object.entries(timings)
      .filter(([name]) => !name.startsWith('_'))
      .map(([name, value]): [string, unknown] => [`timings.${name}`, value]),
    ['response.bodySize', response.bodySize],
    ['response.content.size', response.content?.size],
  ];
  const problems = numbers.flatMap(([field, value]) =>
    typeof value === 'number' && value < 0 && value !== -1
      ? [`${place}: ${field} is ${value}; it must be at least 0, or -1 for unknown`]
      : [],
  );
  const size = response.content?.size ?? 0;
  if (size > largestBodyBytes)
    problems.push(
      `${place}: response.content.size is ${size} bytes; at most ${largestBodyBytes} are served`,
    );
  return problems.length > 0 ? { problems } : entry;
}

function entriesOfFirstPage(
  entries: readonly ReplayEntry[],
  pages: readonly { id: string }[],
): ReplayEntry[] {
  const first = pages.find(({ id }) => entries.some(({ pageref }) => pageref === id));
  const own = first ? entries.filter(({ pageref }) => pageref === first.id) : entries;
  return own.toSorted((a, b) => Date.parse(a.startedDateTime) - Date.parse(b.startedDateTime));
}

function pageOf(
  name: string,
  entries: readonly ReplayEntry[],
  others: number,
  bodies: Page['bodies'],
): Parsed<ReadPage> {
  const left = new LeftOut();
  if (others > 0) left.add('another page of the archive', others);
  const kept: ReplayEntry[] = [];
  const urls = new Set<string>();
  for (const entry of entries) {
    const why = whyNot(entry) ?? (urls.has(urlOf(entry)) ? 'a URL that came before' : null);
    if (why === null) {
      urls.add(urlOf(entry));
      kept.push(entry);
    } else left.add(why, 1);
  }
  const first = kept.findIndex((entry) => typeOf(entry) === 'document');
  if (first < 0) {
    const problem = `${name}: no document with a body is among its ${entries.length} requests (${left.sentences().join(' ') || 'none was left out'})`;
    return { problems: [problem] };
  }
  if (first > 0) left.add('before the document', first);
  const ordered = kept.slice(first);
  const resources = placeInTree(ordered, ordered.map(resourceOf));
  const problems = pageProblems(name, resources);
  if (problems.length > 0) return { problems };
  const recorded = bodies === 'recorded' ? recordedBodies(ordered) : new Map();
  return {
    value: {
      page: { source: name, bodies, resources },
      bodies: recorded,
      notes: [...left.sentences(), ...bodyNote(bodies, recorded.size, resources.length)],
    },
  };
}

function bodyNote(bodies: Page['bodies'], recorded: number, all: number): string[] {
  if (bodies === 'synthetic' || recorded === all) return [];
  return [`The archive holds ${recorded} of ${all} bodies; the others are made up.`];
}

/** Counts what was left out, by reason. */
class LeftOut {
  readonly #counts = new Map<string, number>();

  add(why: string, count: number): void {
    this.#counts.set(why, (this.#counts.get(why) ?? 0) + count);
  }

  sentences(): string[] {
    return [...this.#counts].map(
      ([why, count]) => `Left out: ${counted(count, 'request')} (${why}).`,
    );
  }
}

/** Why an entry cannot be replayed, in words; null when it can. */
function whyNot(entry: ReplayEntry): string | null {
  const { request, response } = entry;
  if (!/^https?:/i.test(request.url)) return 'not by HTTP';
  if (request.method !== 'GET') return 'not GET';
  if (response.status >= 300 && response.status < 400 && response.status !== 304)
    return 'redirects';
  if (![200, 203, 206, 304].includes(response.status)) return 'failed';
  if (typeOf(entry) === 'websocket') return 'not by HTTP';
  if (bodyBytesOf(entry) === null) return 'size not told';
  if (bodyBytesOf(entry) === 0) return 'bodies of 0 bytes';
  return null;
}

function recordedBodies(entries: readonly ReplayEntry[]): Map<number, RecordedBody> {
  const bodies = new Map<number, RecordedBody>();
  for (const [place, { response }] of entries.entries()) {
    const { text, encoding } = response.content ?? {};
    if (text) bodies.set(place, { text, isBase64: encoding === 'base64' });
  }
  return bodies;
}
