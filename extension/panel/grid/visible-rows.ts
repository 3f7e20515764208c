import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import { parseFilter } from '@cachescope/model/load/filter.ts';
import type { Resource } from '@cachescope/model/load/load.ts';
import { columns } from './columns.ts';
import type { PanelSettings } from '../panel-settings.ts';
import type { FilterChoice, PanelState, TimeSpan } from '../panel-state.ts';

/** The rows that match the filter, in order, and errors in the filter text. */
export interface VisibleRows {
  rows: readonly AttributedResource[];
  problems: readonly string[];
}

/** Applies sort order and filter. An invalid filter text keeps all rows and reports the error. */
export function visibleRows({ shown, filter, settings }: PanelState): VisibleRows {
  const ordered = inOrder(shown?.rows ?? noRows, settings.sort);
  return kept(ordered, filter);
}

const noRows: readonly AttributedResource[] = [];

/** Most changes of the state change neither order nor filter, and typing does not change the order. */
const inOrder = memoized(sorted);
const kept = memoized(filtered);

/** Returns the last result when the arguments are the same as in the last call. */
function memoized<First, Second, Result>(
  compute: (first: First, second: Second) => Result,
): (first: First, second: Second) => Result {
  let last: { first: First; second: Second; result: Result } | undefined;
  return (first, second) => {
    if (last?.first !== first || last.second !== second) {
      last = { first, second, result: compute(first, second) };
    }
    return last.result;
  };
}

function filtered(rows: readonly AttributedResource[], filter: FilterChoice): VisibleRows {
  const { text, types, range } = filter;
  const inTime = range ? rows.filter(({ resource }) => overlaps(resource, range)) : rows;
  const ofType =
    types.length === 0 ? inTime : inTime.filter(({ resource }) => types.includes(resource.type));
  const parsed = parseFilter(text);
  if ('problems' in parsed) return { rows: ofType, problems: parsed.problems };
  if (text.trim() === '') return { rows: ofType, problems: [] };
  return {
    rows: ofType.filter((row) => parsed.matches(row) !== filter.isInverted),
    problems: [],
  };
}

/** A request that is running, or whose end is unknown, may last to the end of the load. */
function overlaps({ startMs, durationMs }: Resource, { fromMs, toMs }: TimeSpan): boolean {
  return startMs <= toMs && (durationMs === null || startMs + durationMs >= fromMs);
}

function sorted(
  rows: readonly AttributedResource[],
  { column, isDescending }: PanelSettings['sort'],
): AttributedResource[] {
  const valueOf = columns.find(({ id }) => id === column)?.value;
  if (!valueOf) return [...rows];
  const factor = isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: valueOf(row) }))
    .toSorted(
      (one, other) =>
        compare(one.value, other.value, factor) ||
        one.row.resource.sequence - other.row.resource.sequence,
    )
    .map(({ row }) => row);
}

const texts = new Intl.Collator('en', { numeric: true });

function compare(
  one: number | string | null,
  other: number | string | null,
  factor: number,
): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'number' && typeof other === 'number') return factor * (one - other);
  return factor * texts.compare(String(one), String(other));
}
