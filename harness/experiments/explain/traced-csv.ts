import { csvText } from '@cachescope/model/csv.ts';
import { hitSteps, type TracedRead } from '@cachescope/model/explain/traced-read.ts';

const cellColumns = ['storage', 'delay_ms', 'arm', 'workload', 'variant', 'kind'];

function cellOf({ cell, kind }: TracedRead) {
  const { storage, delayMs, arm, workload, variant } = cell;
  return [storage, delayMs, arm, workload, variant, kind ?? 'hit'];
}

const ms = (value: number | null): string => (value === null ? '' : value.toFixed(3));

/** One row per traced read: its steps, ms, and its device reads. */
export function tracedCsv(traced: readonly TracedRead[]): string {
  const header = [
    ...cellColumns,
    'back_end',
    'read_ms',
    'duration_ms',
    ...hitSteps.map((step) => `${step}_ms`),
    'body_reads',
    'body_bytes',
    'device_reads',
    'serial_reads',
    'counted_reads',
    'flags',
  ];
  const rows = traced.map((read) => [
    ...cellOf(read),
    read.backEnd,
    ms(read.readMs),
    ms(read.durationMs),
    ...hitSteps.map((step) => ms(read.steps[step].ms)),
    read.steps.bodyRead.count,
    read.steps.bodyRead.bytes,
    read.deviceReads?.length,
    read.serialReads,
    read.countedReads,
    read.flags.join(' '),
  ]);
  return csvText(header, rows);
}

/** One row per device read of a traced read. */
export function deviceReadsCsv(traced: readonly TracedRead[]): string {
  const header = ['start_ms', 'end_ms', 'offset_bytes', 'bytes', 'kind', 'read_ahead', 'file'];
  const rows = traced.flatMap((read) =>
    (read.deviceReads ?? []).map((each) => [
      ...cellOf(read),
      ms(each.startMs),
      ms(each.endMs),
      each.offset,
      each.bytes,
      each.kind,
      each.isReadAhead === undefined ? null : `${each.isReadAhead}`,
      each.file,
    ]),
  );
  return csvText([...cellColumns, ...header], rows);
}
