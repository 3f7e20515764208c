import { seriesAt, sideName } from '@cachescope/model/sweep/series.ts';
import type { TracedRead } from '@cachescope/model/explain/traced-read.ts';
import { deviceReadsCsv, tracedCsv } from './traced-csv.ts';
import { tracedNotes, tracedTable } from './traced-table.ts';
import { wrap } from '../../results/wrap.ts';

/** Output files of a run with traced reads; none for other runs. */
export function tracedFiles(traced: readonly TracedRead[] = []): Record<string, string> {
  if (traced.length === 0) return {};
  return { 'traced.csv': tracedCsv(traced), 'device-reads.csv': deviceReadsCsv(traced) };
}

/**
 * The table of traced reads with its notes, for 80 columns; one table per workload or variant when there are several.
 * Empty for a run without traced reads.
 */
export function tracedText(traced: readonly TracedRead[] = []): string {
  if (traced.length === 0) return '';
  const sides = [...new Set(traced.map(sideOf))];
  const tables = sides.flatMap((side) => [
    ...(side === undefined ? [] : [`${side}:`]),
    tracedTable(traced.filter((read) => sideOf(read) === side)),
    '',
  ]);
  const notes = tracedNotes(traced).map((note) => wrap(note, 80));
  return [
    'Steps of one traced read, ms, with its device reads and how many of them are',
    'serial. Traced reads are excluded from the statistics.',
    '',
    ...tables,
    ...notes,
    '',
  ].join('\n');
}

/** The name shared by the reads of one table; undefined for the hits of a run with one workload and one variant. */
function sideOf({ cell, kind }: TracedRead): string | undefined {
  const names = [sideName(seriesAt(cell)), kind && 'first loads, from the network'];
  const known = names.filter((name) => name !== undefined);
  return known.length === 0 ? undefined : known.join(', ');
}
