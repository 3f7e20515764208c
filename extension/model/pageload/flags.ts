import { isFromCache } from '../attribution/attributed-resource.ts';
import { hasDictionary, type Page } from './page.ts';
import type { PageFlag, PageLoad, ResourceRow } from './load.ts';

/** The evidence of the witnesses about one load. */
export interface WitnessedLoad extends Pick<PageLoad, 'cell' | 'rows' | 'device'> {
  /** Drops of the page cache between populating the cache and the end of the load; null: not counted. */
  pageCacheDrops: number | null;
}

/**
 * Compares the extension, the origin's log and the device's counters with each other and with the page. Empty when they
 * agree. `asDictionary` says whether the origin delivers the resource at an index as dcb to a client that has its older
 * version.
 */
export function pageloadFlags(
  { resources }: Page,
  load: WitnessedLoad,
  asDictionary: (place: number) => boolean,
): PageFlag[] {
  const { cell, rows, device, pageCacheDrops } = load;
  const isWarm = cell.state === 'warm' || cell.state === 'relaunched';
  const isEmpty = cell.state === 'empty';
  const of = ({ place }: ResourceRow) => resources[place];
  const raised: Record<Exclude<PageFlag, 'suspended' | 'link-off'>, boolean> = {
    'not-loaded':
      rows.length < resources.length ||
      rows.some((row) => row.endMs === null || !isWhole(row, of(row)?.bodyBytes)),
    'not-fetched-once': isEmpty && rows.some(({ requests }) => requests !== 1),
    'origin-touched':
      !isEmpty && rows.some((row) => row.requests > 0 && of(row)?.caching === 'fresh'),
    'sources-disagree': rows.some(contradicts),
    'no-dictionary':
      isEmpty &&
      cell.arm === 'dictionary' &&
      rows.some((row) => {
        const resource = of(row);
        return (
          resource && hasDictionary(resource) && asDictionary(row.place) && row.coding !== 'dcb'
        );
      }),
    'page-cache-dropped': isWarm && (pageCacheDrops ?? 0) > 0,
    'device-silent':
      cell.state === 'cold' && cell.storage !== 'none' && device !== null && device.reads === 0,
  };
  return (Object.keys(raised) as (keyof typeof raised)[]).filter((flag) => raised[flag]);
}

/** The body size is unknown for a 304 to the memory cache, and for a use without its own Resource Timing entry. */
function isWhole({ bodyBytes }: ResourceRow, expectedBytes: number | undefined): boolean {
  return bodyBytes === null || bodyBytes === expectedBytes;
}

function contradicts({ source, requests }: ResourceRow): boolean {
  if (source === 'network' || source === 'revalidated') return requests === 0;
  if (source === null || source === 'unknown') return false;
  // A stale response is revalidated in the background.
  if (source === 'stale-while-revalidate') return false;
  return isFromCache({ source, confidence: 'certain', reasons: [] }) && requests > 0;
}
