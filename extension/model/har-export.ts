import type { Entry, Har, Header, Page, QueryString } from 'har-format';
import { harDelivery } from './har-delivery.ts';
import { harTimings } from './har-timings.ts';
import { fieldValue, type HeaderFields } from './header-fields.ts';
import type { Load, Resource } from './load.ts';
import { parsedUrl } from './web-url.ts';

/** Who writes the archive. */
const creatorName = 'Cachescope';

/**
 * Loads as an HTTP Archive 1.2 that DevTools can import, with the fields that DevTools uses. What HAR has no field for,
 * and what it can only say less exactly, stands beside it in `_cachescope`. HAR has no null: what is not known is -1, an
 * empty text, or left out; a status that is not known is 0, as DevTools writes it. `version` is this program's.
 */
export function harOf(loads: readonly Load[], version: string): Har {
  return {
    log: {
      version: '1.2',
      creator: { name: creatorName, version },
      pages: loads.map(pageOf),
      entries: loads.flatMap((load, index) =>
        load.resources.map((resource) => entryOf(resource, load, pageId(index))),
      ),
    },
  };
}

function pageId(index: number): string {
  return `page_${index + 1}`;
}

function pageOf(load: Load, index: number): Page {
  const { resources: _resources, ...head } = load;
  return {
    id: pageId(index),
    startedDateTime: isoDate(Date.parse(head.startedAt)),
    title: head.url,
    pageTimings: {
      onContentLoad: head.domContentLoadedMs ?? -1,
      onLoad: head.loadMs ?? -1,
    },
    _cachescope: head,
  };
}

function entryOf(resource: Resource, load: Load, pageref: string): Entry {
  const { requestHeaders, responseHeaders, ...told } = resource;
  const { evidence, transferredBytes, encodedBytes, decodedBytes } = resource;
  const delivery = harDelivery(evidence);
  const isReceived = transferredBytes !== null && transferredBytes > 0 && !delivery.isCached;
  const httpVersion = evidence.page?.timing?.nextHopProtocol ?? '';
  return {
    pageref,
    startedDateTime: isoDate(Date.parse(load.startedAt) + resource.startMs),
    time: resource.durationMs ?? -1,
    request: {
      method: resource.method ?? '',
      url: resource.url,
      httpVersion,
      cookies: [],
      headers: headersOf(requestHeaders),
      queryString: queryOf(resource.url),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: evidence.devtools?.status ?? resource.status ?? 0,
      statusText: '',
      httpVersion,
      cookies: [],
      headers: headersOf(responseHeaders),
      content: { size: decodedBytes ?? -1, mimeType: resource.mimeType ?? 'x-unknown' },
      redirectURL: fieldValue(responseHeaders ?? [], 'location') ?? '',
      headersSize: -1,
      bodySize: delivery.isCached ? 0 : isReceived ? (encodedBytes ?? -1) : -1,
      ...(transferredBytes !== null && { _transferSize: transferredBytes }),
      ...delivery.response,
    },
    cache: {},
    timings: harTimings(resource),
    _resourceType: resource.type,
    ...delivery.entry,
    _cachescope: told,
  };
}

/** Times beyond what ECMAScript's dates hold: 8.64e15 ms on both sides of the epoch. */
const latest = 8.64e15;

/** A HAR must have a date: a time beyond all dates becomes the nearest one, and is exact only in `_cachescope`. */
function isoDate(ms: number): string {
  return new Date(Math.min(Math.max(Number.isNaN(ms) ? 0 : ms, -latest), latest)).toISOString();
}

function headersOf(fields: HeaderFields = []): Header[] {
  return fields.map(([name, value]) => ({ name, value }));
}

function queryOf(url: string): QueryString[] {
  const parameters = parsedUrl(url)?.searchParams ?? [];
  return Array.from(parameters, ([name, value]) => ({ name, value }));
}
