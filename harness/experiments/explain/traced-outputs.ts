import { seriesAt, sideName } from '@cachescope/model/sweep-series.ts';
import type { TracedRead } from '@cachescope/model/traced-read.ts';
import type { ResultFiles } from './results.ts';
import { deviceReadsCsv, tracedCsv } from './traced-csv.ts';
import { tracedNotes, tracedTable } from './traced-table.ts';
import { wrap } from './wrap.ts';

/** Writes traced.csv and device-reads.csv. Returns what a terminal shows of them; empty for a run without traced reads. */
export async function writeTraced(
  files: ResultFiles,
  traced: readonly TracedRead[] | undefined,
): Promise<string> {
  if (traced === undefined || traced.length === 0) return '';
  await files.write('traced.csv', tracedCsv(traced));
  await files.write('device-reads.csv', deviceReadsCsv(traced));
  return tracedText(traced);
}

/** The table of traced reads with its notes, for 80 columns; of several workloads or variants a table each. */
export function tracedText(traced: readonly TracedRead[]): string {
  const sides = [...new Set(traced.map(sideOf))];
  const tables = sides.flatMap((side) => [
    ...(side === undefined ? [] : [`${side}:`]),
    tracedTable(traced.filter((read) => sideOf(read) === side)),
    '',
  ]);
  const notes = tracedNotes(traced).map((note) => wrap(note, 80));
  return [
    'Where the time of one traced read went, ms, and how many of its device reads',
    'came one after another. Traced reads are in no statistics.',
    '',
    ...tables,
    ...notes,
    '',
  ].join('\n');
}

/** What reads of one table have in common; undefined for the hits of a run of one workload and variant. */
function sideOf({ cell, kind }: TracedRead): string | undefined {
  const names = [sideName(seriesAt(cell)), kind && 'first loads, from the network'];
  const known = names.filter((name) => name !== undefined);
  return known.length === 0 ? undefined : known.join(', ');
}
