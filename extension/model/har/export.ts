import type { Har, Page } from 'har-format';
import { attribute } from '../attribution/cache-source.ts';
import { harArchive, type HarExchange, isoDate } from './archive.ts';
import { harDelivery } from './delivery.ts';
import { harTimings } from './timings.ts';
import type { Load, Resource } from '../load/load.ts';

const creatorName = 'Cachescope';

/**
 * Loads as an archive with the fields that DevTools uses. `_cachescope` has the values that HAR has no field for or
 * expresses less exactly. HAR has no null: an unknown value is -1, an empty text or absent, or a comment marks it
 * (`standIns`). `version` is this program's.
 */
export function harOf(loads: readonly Load[], version: string): Har {
  const exchanges = loads.flatMap((load, index) =>
    load.resources.map((resource) => exchangeOf(resource, load, pageId(index))),
  );
  return harArchive({ name: creatorName, version }, loads.map(pageOf), exchanges);
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

function exchangeOf(resource: Resource, load: Load, pageref: string): HarExchange {
  const { requestHeaders, responseHeaders, ...rest } = resource;
  const { evidence, transferredBytes, decodedBytes } = resource;
  const delivery = harDelivery(evidence);
  const status = evidence.devtools?.status ?? resource.status ?? 0;
  const { page, debugger: network } = evidence;
  return {
    pageref,
    startedAtMs: Date.parse(load.startedAt) + resource.startMs,
    method: resource.method,
    url: resource.url,
    status,
    httpVersion: page?.timing?.nextHopProtocol || network?.protocol || '',
    requestHeaders,
    responseHeaders,
    timings: harTimings(resource),
    bodyBytes: bodyBytes(resource, delivery.isCached || status === 304),
    content: { size: decodedBytes ?? -1, mimeType: resource.mimeType ?? 'x-unknown' },
    custom: {
      _resourceType: resource.type,
      ...(resource.priority !== undefined && { _priority: resource.priority }),
      ...(resource.initiator && { _initiator: resource.initiator }),
      ...delivery.entry,
      _cachescope: rest,
      ...redirectComment(resource),
    },
    responseCustom: {
      ...(transferredBytes !== null && { _transferSize: transferredBytes }),
      ...delivery.response,
    },
  };
}

/** HAR has one entry for each request; a redirected resource is one, with the URL of the first. */
function redirectComment({ finalUrl, requestHeaders }: Resource): { comment?: string } {
  if (finalUrl === undefined || !requestHeaders) return {};
  return { comment: `redirected: request.headers are those of the last request, ${finalUrl}` };
}

/** Bytes of the body that were received: none from a cache, nor with a 304, after which the stored body is used. */
function bodyBytes(resource: Resource, isStored: boolean): number {
  const { evidence, transferredBytes, encodedBytes } = resource;
  if (isStored || attribute(evidence).source === 'revalidated') return 0;
  return transferredBytes !== null && transferredBytes > 0 ? (encodedBytes ?? -1) : -1;
}
