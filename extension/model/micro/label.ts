import { microCacheLabels } from './cache.ts';
import { microRowLabels } from './row.ts';
import type { MicroCell } from './slice.ts';
import { digits } from '../quantity.ts';

/** Label of a row of the table or of a kind of key. */
export function rowLabel({ row }: Pick<MicroCell, 'row'>): string {
  return row === 'present' || row === 'absent' ? row : microRowLabels[row];
}

/** Label of a load of the list: `first`, `again` in the same browser, `relaunched`, `cold` at a delay. */
export function loadLabel({
  row,
  state,
  delayMs,
}: Pick<MicroCell, 'row' | 'state' | 'delayMs'>): string {
  if (row !== 'hit') return 'first';
  const label = state === 'running' ? 'again' : state === 'dropped' ? 'cold' : state;
  return delayMs === 0 ? label : `${label}, ${digits(delayMs)} ms`;
}

/**
 * Label of the caches that a search reads, in order. A script element that is in neither Blink's memory nor the disk
 * cache is fetched from the server.
 */
export function searchLabel({
  cache,
  row,
  backEnd,
}: Pick<MicroCell, 'cache' | 'row' | 'backEnd'>): string {
  if (cache === 'blink') return row === 'absent' ? 'Blink, disk, server' : 'Blink, then disk';
  return backEnd === undefined ? microCacheLabels[cache] : `Disk, ${backEnd}`;
}

/** Whether the cache's index was certainly loaded before the search. */
export function isIndexLoaded({ state }: Pick<MicroCell, 'state'>): boolean {
  return state !== 'first' && state !== 'lost';
}

/** Label of the time of a search: `first` in a launch, `no index` when its file was removed, or `later`. */
export function searchTimeLabel({ state }: Pick<MicroCell, 'state'>): string {
  if (isIndexLoaded({ state })) return 'later';
  return state === 'lost' ? 'no index' : 'first';
}

/** Label of the condition under which disk is compared with memory. */
export function conditionLabel({
  storage,
  delayMs,
}: Pick<MicroCell, 'storage' | 'delayMs'>): string {
  return storage === 'none'
    ? 'On ordinary storage, page cache warm'
    : `At a read delay of ${digits(delayMs)} ms, page cache dropped`;
}

/** A text with its first letter in upper case. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
