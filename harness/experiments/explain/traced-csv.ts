import { type CsvColumns, csvOf, csvText } from '@cachescope/model/csv.ts';
import { hitSteps, type TracedRead } from '@cachescope/model/explain/traced-read.ts';

const ms = (value: number | null): string => (value === null ? '' : value.toFixed(3));

const cellColumns: CsvColumns<TracedRead> = {
  storage: ({ cell }) => cell.storage,
  delay_ms: ({ cell }) => cell.delayMs,
  arm: ({ cell }) => cell.arm,
  workload: ({ cell }) => cell.workload,
  variant: ({ cell }) => cell.variant,
  kind: ({ kind }) => kind ?? 'hit',
};

const readColumns: CsvColumns<TracedRead> = {
  ...cellColumns,
  back_end: ({ backEnd }) => backEnd,
  read_ms: ({ readMs }) => ms(readMs),
  duration_ms: ({ durationMs }) => ms(durationMs),
  ...Object.fromEntries(
    hitSteps.map((step) => [`${step}_ms`, ({ steps }: TracedRead) => ms(steps[step].ms)]),
  ),
  body_reads: ({ steps }) => steps.bodyRead.count,
  body_bytes: ({ steps }) => steps.bodyRead.bytes,
  device_reads: ({ deviceReads }) => deviceReads?.length,
  serial_reads: ({ serialReads }) => serialReads,
  counted_reads: ({ countedReads }) => countedReads,
  flags: ({ flags }) => flags.join(' '),
};

/** One row per traced read: its steps, ms, and its device reads. */
export function tracedCsv(traced: readonly TracedRead[]): string {
  return csvOf(readColumns, traced);
}

/** One row per device read of a traced read. */
export function deviceReadsCsv(traced: readonly TracedRead[]): string {
  // The first `kind` is that of the traced read, the second that of its device read.
  const header = ['start_ms', 'end_ms', 'offset_bytes', 'bytes', 'kind', 'read_ahead', 'file'];
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
