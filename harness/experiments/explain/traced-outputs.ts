import { type CsvColumns, csvOf, csvText } from '@cachescope/model/csv.ts';
import { bytesRead } from '@cachescope/model/explain/device-read.ts';
import {
  type HitStep,
  hitSteps,
  takenOn,
  type TracedRead,
} from '@cachescope/model/explain/traced-read.ts';
import { byteSize, digits, unknownText } from '@cachescope/model/quantity.ts';
import { armLabel, seriesAt, sideName } from '@cachescope/model/sweep/series.ts';
import { plainTable } from '../../results/plain-table.ts';
import { wrap } from '../../results/wrap.ts';

/** Output files of a run with traced reads; none for other runs. */
export function tracedFiles(traced: readonly TracedRead[] = []): Record<string, string> {
  if (traced.length === 0) return {};
  return { 'traced.csv': tracedCsv(traced), 'device-reads.csv': deviceReadsCsv(traced) };
}

/**
 * The table of traced reads with its notes, for 80 columns; one table per workload, variant or shard when there are
 * several.
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
function sideOf(read: TracedRead): string | undefined {
  const kind = read.kind && 'first loads, from the network';
  const names = [sideName(seriesAt(read.cell)), kind, takenOn(read)];
  const known = names.filter((name) => name !== undefined);
  return known.length === 0 ? undefined : known.join(', ');
}

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
function tracedTable(traced: readonly TracedRead[]): string {
  const shown = traced[0]?.kind === 'first load' ? loadColumns : hitColumns;
  const names = shown.map(([, name]) => name);
  const rows = traced.map((read) => {
    const { cell, durationMs, deviceReads, serialReads, flags } = read;
    return [
      `${cell.storage === 'none' ? 'control' : `${cell.delayMs} ms`}${flags.length > 0 ? ' !' : ''}`,
      armLabel(cell),
      digits(durationMs),
      ...shown.map(([step]) => digits(read.steps[step].ms)),
      digits(othersMs(read, shown)),
      deviceReads === null ? unknownText : `${serialReads ?? unknownText} of ${deviceReads.length}`,
      byteSize(bytesRead(deviceReads)),
    ];
  });
  return plainTable(['delay', 'arm', 'ms', ...names, 'others', 'serial', 'bytes'], 2, rows);
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
function tracedNotes(traced: readonly TracedRead[]): string[] {
  const flags = new Set(traced.flatMap((read) => read.flags));
  const whys = new Set(
    traced
      .filter(({ serialReads }) => serialReads === null)
      .flatMap(({ deviceReadsWhy }) => deviceReadsWhy ?? []),
  );
  return [
    ...(flags.size > 0 ? [`! flagged: ${[...flags].join(', ')}`] : []),
    ...[...whys].map((why) => `${unknownText} serial: ${why}`),
  ];
}

const ms = (value: number | null): string => (value === null ? '' : value.toFixed(3));

const cellColumns: CsvColumns<TracedRead> = {
  storage: ({ cell }) => cell.storage,
  delay_ms: ({ cell }) => cell.delayMs,
  arm: ({ cell }) => cell.arm,
  workload: ({ cell }) => cell.workload,
  variant: ({ cell }) => cell.variant,
  kind: ({ kind }) => kind ?? 'hit',
  machine: ({ machine }) => machine,
  shard: ({ shard }) => shard,
};

const readColumns: CsvColumns<TracedRead> = {
  ...cellColumns,
  back_end: ({ backEnd }) => backEnd,
  read_ms: ({ readMs }) => ms(readMs),
  duration_ms: ({ durationMs }) => ms(durationMs),
  ...Object.fromEntries(
    hitSteps.map((step) => [
      `${snakeCase(step)}_ms`,
      ({ steps }: TracedRead) => ms(steps[step].ms),
    ]),
  ),
  body_reads: ({ steps }) => steps.bodyRead.count,
  body_bytes: ({ steps }) => steps.bodyRead.bytes,
  device_reads: ({ deviceReads }) => deviceReads?.length,
  serial_reads: ({ serialReads }) => serialReads,
  counted_reads: ({ countedReads }) => countedReads,
  flags: ({ flags }) => flags.join(' '),
};

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** One row per traced read: its steps, ms, and its device reads. */
export function tracedCsv(traced: readonly TracedRead[]): string {
  return csvOf(readColumns, traced);
}

/** One row per device read of a traced read. */
export function deviceReadsCsv(traced: readonly TracedRead[]): string {
  // `kind` is that of the traced read.
  const header = ['start_ms', 'end_ms', 'offset_bytes', 'bytes', 'read_kind', 'read_ahead', 'file'];
  const rows = traced.flatMap((read) =>
    (read.deviceReads ?? []).map((each) => [
      ...Object.values(cellColumns).map((cellOf) => cellOf(read)),
      ms(each.startMs),
      ms(each.endMs),
      each.offset,
      each.bytes,
      each.kind,
      each.isReadAhead,
      each.file,
    ]),
  );
  return csvText([...Object.keys(cellColumns), ...header], rows);
}
