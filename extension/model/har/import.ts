import * as z from 'zod/mini';
import { readArchive, type ReadArchive } from './entries.ts';
import { harEvidence } from './evidence.ts';
import { harResource } from './resource.ts';
import { type HarEntry, type HarPage, isDate } from './schema.ts';
import { workerFetchStatuses } from './worker-fetch.ts';
import {
  type Load,
  loadSchema,
  loadSchemaVersion,
  numbered,
  type Resource,
  resourceSchema,
} from '../load/load.ts';
import { knownFields } from '../known-fields.ts';
import { checked, type Parsed } from '../parsed.ts';
import type { NamedJson } from '../run/experiment.ts';
import { schemeOf } from '../web-url.ts';

/**
 * Creator name in HARs of Chromium's DevTools. Only its `_` fields are known to mean the same as `evidence.devtools`.
 */
const devToolsCreator = 'WebInspector';

/** True for a value that is an HTTP Archive or is meant to be one. */
export function isHar(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'log' in json;
}

/**
 * Reads an HTTP Archive: one load for each page, and one for the entries without a page. Values that the archive lacks
 * are null in the loads. Unusable items are left out; the warnings of the loads say so.
 */
export function readHar({ name, json }: NamedJson): Parsed<Load[]> {
  const archive = readOwnArchive({ name, json });
  if ('problems' in archive) return archive;
  const { entries, excluded } = archive.value;
  const loads = loadsOf(name, archive.value);
  if (loads.length === 0 || (entries.length > 0 && loads.every(isEmpty)))
    return { problems: excluded.problems };
  return {
    value: loads.map((load) => ({ ...load, warnings: [...load.warnings, ...excluded.sentences] })),
  };
}

/** Reads an archive, and refuses one that another version of this program wrote. */
export function readOwnArchive({ name, json }: NamedJson): Parsed<ReadArchive> {
  const version = foreignVersion(json);
  if (version === undefined) return readArchive({ name, json });
  const says = `${name} was exported by a Cachescope with schema version ${version}, this one reads version ${loadSchemaVersion}. Open it with the version that wrote it.`;
  return { problems: [says] };
}

function isEmpty({ resources }: Load): boolean {
  return resources.length === 0;
}

/** The version of our own fields if it is another one: reported before any problem that follows from it. */
function foreignVersion(json: unknown): string | undefined {
  const pages = at(at(json, 'log'), 'pages');
  if (!Array.isArray(pages)) return undefined;
  const versions = pages.map((page: unknown) => at(at(page, '_cachescope'), 'schemaVersion'));
  const foreign = versions.find(
    (version) => version !== undefined && version !== loadSchemaVersion,
  );
  return foreign === undefined ? undefined : JSON.stringify(foreign);
}

function at(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function loadsOf(name: string, archive: ReadArchive): Load[] {
  const { writer, pages, entries, excluded } = archive;
  const known = new Map(pages.map((page) => [page.id, page]));
  const byPage = Map.groupBy(entries, ({ pageref }) => known.get(pageref ?? ''));
  // Pages keep their order; entries without a page come last.
  const begun = [...known.values()].flatMap((page) =>
    excluded.check(begunPage(name, page, byPage.has(page))),
  );
  const groups = [...begun, ...(byPage.has(undefined) ? [undefined] : [])];
  const statuses = workerFetchStatuses(entries);
  // Values that no load can have are refused, not drawn: every load of the archive fits the schema of a load.
  return groups
    .map((page) => loadOf(page, byPage.get(page) ?? [], statuses, writer))
    .flatMap(({ resources, ...outline }) =>
      excluded.check(checked(`${name}: log.pages`, outlineSchema, outline)).map((kept) => ({
        ...kept,
        resources: numbered(
          resources.flatMap((resource) =>
            excluded.check(checked(`${name}: ${resource.url}`, resourceSchema, resource)),
          ),
        ),
      })),
    );
}

function begunPage(name: string, page: HarPage, hasEntries: boolean): Parsed<HarPage> {
  if (hasEntries || isDate(page.startedDateTime)) return { value: page };
  const says = 'expected a date (ISO 8601), because no request of the page has one';
  return { problems: [`${name}: log.pages: ${page.id}: startedDateTime: ${says}`] };
}

const outlineSchema = z.omit(loadSchema, { resources: true });

function loadOf(
  page: HarPage | undefined,
  entries: readonly HarEntry[],
  statuses: ReadonlyMap<HarEntry, number>,
  writer: string,
): Load {
  const startedAt = startOf(page, entries);
  const loadStart = Date.parse(startedAt);
  const read = entries.map((entry) => resourceOf(entry, loadStart, writer, statuses.get(entry)));
  if (page?._cachescope) return { ...page._cachescope, resources: read };
  const resources = read.toSorted((a, b) => a.startMs - b.startMs);
  return {
    schemaVersion: loadSchemaVersion,
    id: `har ${startedAt} ${page?.id ?? ''}`.trimEnd(),
    url: pageUrl(page, resources),
    startedAt: new Date(loadStart).toISOString(),
    navigationType: 'unknown',
    depths: writer === devToolsCreator ? ['devtools'] : [],
    domContentLoadedMs: reached(page?.pageTimings?.onContentLoad),
    loadMs: reached(page?.pageTimings?.onLoad),
    resources,
    warnings: [...startWarnings(page, startedAt), ...warningsOf(page, writer)],
  };
}

function startWarnings(page: HarPage | undefined, startedAt: string): string[] {
  if (!page || page.startedDateTime === startedAt) return [];
  const stated = JSON.stringify(page.startedDateTime ?? '');
  return [`The page began with its first request: the archive states its start as ${stated}.`];
}

/**
 * A resource with its evidence. `loadStart`: ms since the epoch. Only an archive of DevTools has evidence
 * (`writer`), and one of our own.
 */
export function resourceOf(
  entry: HarEntry,
  loadStart: number,
  writer: string,
  serviceWorkerFetchStatus: number | undefined,
): Resource {
  const read = harResource(entry, loadStart);
  if (entry._cachescope) {
    const { requestHeaders, responseHeaders } = read;
    return { ...entry._cachescope, ...knownFields({ requestHeaders, responseHeaders }) };
  }
  const seen = writer === devToolsCreator ? harEvidence(entry) : null;
  const devtools = seen && { ...seen, ...knownFields({ serviceWorkerFetchStatus }) };
  const evidence = { scheme: schemeOf(read.url), ...knownFields({ devtools }) };
  return { sequence: 0, ...read, evidence };
}

/** Maximum time between a page's start and its first request, ms. */
const longestApartMs = 24 * 3600 * 1000;

/**
 * When a page began: its own start, unless that is no date or implausible. For pages of a HAR that it has imported, DevTools
 * exports a start some thousands of years away (seen in 156).
 */
function startOf(page: HarPage | undefined, entries: readonly HarEntry[]): string {
  const own = page?.startedDateTime ?? '';
  if (entries.length === 0) return own;
  const first = earliest(entries);
  const apartMs = Math.abs(Date.parse(own) - Date.parse(first));
  return apartMs <= longestApartMs ? own : first;
}

function earliest(entries: readonly HarEntry[]): string {
  return entries
    .map(({ startedDateTime }) => startedDateTime)
    .reduce((first, date) => (Date.parse(date) < Date.parse(first) ? date : first));
}

/** In DevTools' archives a page's title is its URL; in others it is the title. */
function pageUrl(page: HarPage | undefined, resources: readonly Resource[]): string {
  const title = page?.title ?? '';
  if (schemeOf(title) !== '') return title;
  const document = resources.find(({ type }) => type === 'document') ?? resources[0];
  return document?.url ?? title;
}

function reached(ms: number | null | undefined): number | null {
  return ms === undefined || ms === null || ms < 0 ? null : ms;
}

function warningsOf(page: HarPage | undefined, writer: string): string[] {
  const warnings: string[] = [];
  if (!page) warnings.push('These requests belong to no page of the archive.');
  return [...warnings, ...writerWarnings(writer)];
}

/** What an archive of another program than DevTools cannot say. */
export function writerWarnings(writer: string): string[] {
  if (writer === devToolsCreator) return [];
  const name = writer === '' ? 'an unnamed program' : writer;
  return [
    `The archive was written by ${name}, not by Chromium's DevTools: it does not say where the responses came from.`,
  ];
}
