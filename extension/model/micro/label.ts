import { microCacheLabels } from './cache.ts';
import { microRowLabels } from './row.ts';
import type { MicroCell } from './slice.ts';
import { digits } from '../quantity.ts';

/** A row of the table, or a kind of key, for people. */
export function rowLabel({ row }: Pick<MicroCell, 'row'>): string {
  return row === 'present' || row === 'absent' ? row : microRowLabels[row];
}

/** A load of the list, for people: `first`, `again` in the same browser, `relaunched`, `cold` at a delay. */
export function loadLabel({
  row,
  state,
  delayMs,
}: Pick<MicroCell, 'row' | 'state' | 'delayMs'>): string {
  if (row !== 'hit') return 'first';
  const label = state === 'running' ? 'again' : state === 'dropped' ? 'cold' : state;
  return delayMs === 0 ? label : `${label}, ${digits(delayMs)} ms`;
}

/** What is searched, one after another, for people: past Blink's memory and the disk an element goes on to the server. */
export function searchLabel({
  cache,
  row,
  backEnd,
}: Pick<MicroCell, 'cache' | 'row' | 'backEnd'>): string {
  if (cache === 'blink') return row === 'absent' ? 'Blink, disk, server' : 'Blink, then disk';
  return backEnd === undefined ? microCacheLabels[cache] : `Disk, ${backEnd}`;
}

/** Whether a search surely came when the index of its cache was there. */
export function isIndexLoaded({ state }: Pick<MicroCell, 'state'>): boolean {
  return state !== 'first' && state !== 'lost';
}

/** When a search came, for people: `first` in a launch, without the file of the index, or `later`. */
export function searchTimeLabel({ state }: Pick<MicroCell, 'state'>): string {
  if (isIndexLoaded({ state })) return 'later';
  return state === 'lost' ? 'no index' : 'first';
}

/** Where disk was held against memory, for people. */
export function conditionLabel({
  storage,
  delayMs,
}: Pick<MicroCell, 'storage' | 'delayMs'>): string {
  return storage === 'none'
    ? 'On ordinary storage, page cache warm'
    : `At a read delay of ${digits(delayMs)} ms, page cache dropped`;
}
