import { readArchive } from '../har/entries.ts';
import type { HarEntry } from '../har/schema.ts';
import { bodyBytesOf, placeInTree, resourceOf, typeOf, urlOf } from './har-resource.ts';
import { largestBodyBytes, type Page, pageProblems, type ReadPage } from './page.ts';
import { recordedBodies } from './recorded-bodies.ts';
import type { Parsed } from '../parsed.ts';
import { counted } from '../quantity.ts';
import type { NamedJson } from '../run/experiment.ts';

/**
 * Reads the page of an HTTP Archive: the requests of its first page as a tree by initiator, with sizes, types,
 * priorities, cacheability and, with `recorded`, bodies. Requests that cannot be replayed are excluded and reported. No
 * server of the archive is ever contacted.
 */
export function readHarPage({ name, json }: NamedJson, bodies: Page['bodies']): Parsed<ReadPage> {
  const archive = readArchive({ name, json });
  if ('problems' in archive) return archive;
  const { entries, pages, excluded } = archive.value;
  const usable = entries.flatMap((entry) => excluded.check(served(name, entry)));
  const own = entriesOfFirstPage(usable, pages);
  const page = pageOf(name, own, usable.length - own.length, bodies);
  if ('problems' in page) return { problems: [...page.problems, ...excluded.problems] };
  const { notes, ...read } = page.value;
  return { value: { ...read, notes: [...excluded.sentences, ...notes] } };
}

function served(name: string, entry: HarEntry): Parsed<HarEntry> {
  const size = entry.response.content?.size ?? 0;
  if (size <= largestBodyBytes) return { value: entry };
  const problem = `${name}: ${urlOf(entry)}: response.content.size is ${size} bytes; at most ${largestBodyBytes} are served`;
  return { problems: [problem] };
}

function entriesOfFirstPage(
  entries: readonly HarEntry[],
  pages: readonly { id: string }[],
): HarEntry[] {
  const used = new Set(entries.map(({ pageref }) => pageref));
  const first = pages.find(({ id }) => used.has(id));
  const own = first ? entries.filter(({ pageref }) => pageref === first.id) : entries;
  return own.toSorted((a, b) => Date.parse(a.startedDateTime) - Date.parse(b.startedDateTime));
}

function pageOf(
  name: string,
  entries: readonly HarEntry[],
  others: number,
  bodies: Page['bodies'],
): Parsed<ReadPage> {
  const left = Array.from({ length: others }, () => 'another page of the archive');
  const urls = new Set<string>();
  const kept = entries.filter((entry) => {
    const why = whyNot(entry) ?? (urls.has(urlOf(entry)) ? 'a URL that came before' : null);
    if (why === null) urls.add(urlOf(entry));
    else left.push(why);
    return why === null;
  });
  const first = kept.findIndex((entry) => typeOf(entry) === 'document');
  if (first < 0) {
    const problem = `${name}: no document with a body is among its ${entries.length} requests (${excludedSentences(left).join(' ') || 'none was left out'})`;
    return { problems: [problem] };
  }
  for (let before = 0; before < first; before++) left.push('before the document');
  const ordered = kept.slice(first);
  const resources = placeInTree(ordered, ordered.map(resourceOf));
  const problems = pageProblems(name, resources);
  if (problems.length > 0) return { problems };
  const recorded = bodies === 'recorded' ? recordedBodies(ordered) : null;
  const notes = [...excludedSentences(left), ...(recorded?.notes ?? [])];
  const page = { source: name, bodies, resources };
  return { value: { page, bodies: recorded?.bodies ?? new Map(), notes } };
}

/** The excluded requests, counted by reason. */
function excludedSentences(reasons: readonly string[]): string[] {
  const groups = Map.groupBy(reasons, (reason) => reason);
  return [...groups].map(
    ([why, { length }]) => `Excluded: ${counted(length, 'request')} (${why}).`,
  );
}

/** Why an entry cannot be replayed; null when it can. */
function whyNot(entry: HarEntry): string | null {
  const { request, response } = entry;
  if (!/^https?:/i.test(request.url)) return 'not by HTTP';
  if (request.method !== 'GET') return 'not GET';
  if (response.status >= 300 && response.status < 400 && response.status !== 304)
    return 'redirects';
  if (![200, 203, 206, 304].includes(response.status)) return 'failed';
  if (typeOf(entry) === 'websocket') return 'not by HTTP';
  if (bodyBytesOf(entry) === null) return 'size not given';
  if (bodyBytesOf(entry) === 0) return 'bodies of 0 bytes';
  return null;
}
