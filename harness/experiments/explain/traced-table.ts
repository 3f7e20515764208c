import { armLabel } from '@cachescope/model/sweep/series.ts';
import { byteSize, digits, unknownText } from '@cachescope/model/quantity.ts';
import type { HitStep, TracedRead } from '@cachescope/model/explain/traced-read.ts';
import { plainTable } from '../../results/plain-table.ts';

type Column = readonly [HitStep, string];

/** Steps with their own column; the other steps are added up in one column. */
const hitColumns: readonly Column[] = [
  ['entryOpen', 'open'],
  ['bodyRead', 'body'],
  ['decode', 'decode'],
];
const loadColumns: readonly Column[] = [
  ['network', 'network'],
  ['entryWrite', 'write'],
  ['dictionaryRead', 'dictionary'],
];

/** Traced reads of one kind, for 80 columns: the time of each step, and how many of the device reads are serial. */
export function tracedTable(traced: readonly TracedRead[]): string {
  const shown = traced[0]?.kind === 'first load' ? loadColumns : hitColumns;
  const names = shown.map(([, name]) => name);
  const rows = traced.map((read) => {
    const { cell, durationMs, deviceReads, serialReads, flags } = read;
    const bytes = deviceReads?.reduce((sum, each) => sum + each.bytes, 0) ?? null;
    return [
      `${cell.storage === 'none' ? 'control' : `${cell.delayMs} ms`}${flags.length > 0 ? ' !' : ''}`,
      armLabel(cell),
      digits(durationMs),
      ...shown.map(([step]) => digits(read.steps[step].ms)),
      digits(othersMs(read, shown)),
      deviceReads === null ? unknownText : `${serialReads ?? unknownText} of ${deviceReads.length}`,
      byteSize(bytes),
    ];
  });
  return plainTable(['delay', 'arm', 'ms', ...names, 'others', 'in a row', 'bytes'], 2, rows);
}

/** The dictionary read overlaps other steps, so it is not subtracted. */
function othersMs({ durationMs, steps }: TracedRead, shown: readonly Column[]): number | null {
  const own = shown.filter(([step]) => step !== 'dictionaryRead').map(([step]) => steps[step].ms);
  if (durationMs === null || own.includes(null)) return null;
  return own.reduce<number>((left, ms) => left - (ms ?? 0), durationMs);
}

/**
 * Notes below the table: the flags, and why a value is unknown; empty when all values are known and no read is flagged.
 */
export function tracedNotes(traced: readonly TracedRead[]): string[] {
  const flags = new Set(traced.flatMap((read) => read.flags));
  const whys = new Set(
    traced
      .filter(({ serialReads }) => serialReads === null)
      .flatMap(({ deviceReadsWhy }) => deviceReadsWhy ?? []),
  );
  return [
    ...(flags.size > 0 ? [`! flagged: ${[...flags].join(', ')}`] : []),
    ...[...whys].map((why) => `${unknownText} in a row: ${why}`),
  ];
}
