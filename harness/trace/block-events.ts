import { sectorBytes } from '../storage/device-counters.ts';

/** A read request of a block device, in the clock of the kernel's trace. */
export interface BlockRead {
  /** µs, CLOCK_MONOTONIC. */
  issueUs: number;
  completeUs: number;
  /** Offset on the device, bytes. */
  offset: number;
  bytes: number;
  /** The request carries REQ_META: it reads the file system's metadata. false where the witness does not report it. */
  isMetadata: boolean;
  /** The request carries REQ_RAHEAD; absent where the witness does not report it. */
  isReadAhead?: boolean;
}

/** The block events of a kernel trace. */
export interface BlockEvents {
  /** Ordered by issue. */
  reads: BlockRead[];
  /** Events lost because the kernel's buffer was full. */
  lostEvents: number;
}

/**
 * `TASK-PID [CPU] FLAGS SECONDS: EVENT: MAJOR,MINOR RWBS [BYTES] [(COMMAND)] SECTOR + SECTORS`, as TP_printk of
 * include/trace/events/block.h prints requests (block_rq_*) and, for device-mapper, bios (block_bio_*).
 */
const eventLine =
  /\s(?<seconds>\d+\.\d{6}): block_(?:rq_issue|rq_complete|bio_queue|bio_complete): \d+,\d+ (?<flags>[A-Z]+) (?:\d+ )?(?:\(.*?\) )?(?<sector>\d+) \+ (?<sectors>\d+)/;
const isEnd = /: block_(?:rq|bio)_complete: /;
const bufferLine = /^# entries-in-buffer\/entries-written: (\d+)\/(\d+)/m;

/** Parses the text of tracefs' `trace`. Requests that did not complete during the trace are left out. */
export function parseBlockEvents(text: string): BlockEvents {
  const open = new Map<string, BlockRead>();
  const reads: BlockRead[] = [];
  for (const line of text.split('\n')) {
    const found = eventLine.exec(line)?.groups;
    // REQ_PREFLUSH comes before the operation.
    if (!found || !/^F?R/.test(found['flags'] ?? '')) continue;
    const { seconds = '', flags = '', sector = '', sectors = '' } = found;
    const us = Math.round(Number(seconds) * 1e6);
    const key = `${sector}+${sectors}`;
    const read = open.get(key);
    if (isEnd.test(line)) {
      if (!read) continue;
      open.delete(key);
      reads.push({ ...read, completeUs: us });
    } else {
      open.set(key, {
        issueUs: us,
        completeUs: us,
        offset: Number(sector) * sectorBytes,
        bytes: Number(sectors) * sectorBytes,
        isMetadata: flags.includes('M'),
        isReadAhead: flags.includes('A'),
      });
    }
  }
  const [, kept = '0', written = '0'] = bufferLine.exec(text) ?? [];
  return {
    reads: reads.toSorted((one, other) => one.issueUs - other.issueUs),
    lostEvents: Number(written) - Number(kept),
  };
}

/**
 * `2026-11-21 18:03:34.513196 connection=1 Read id=2 offset=0x0 count=0x100000 ...`; on the line of its end the dots
 * come first.
 */
const readLine =
  /^(?<date>\d{4}-\d\d-\d\d) (?<time>\d\d:\d\d:\d\d\.\d{3})(?<micros>\d{3}) connection=(?<connection>\d+) (?<dots>\.{3})?Read id=(?<id>\d+)(?: offset=(?<offset>0x[0-9a-f]+) count=(?<count>0x[0-9a-f]+))?/;

/**
 * Parses the log of nbdkit's log filter (nbdkit-log-filter(1)), whose times are local. Requests without an end are left
 * out. The log does not contain the purpose of a request.
 *
 * @param wallOffsetUs wall-clock time at CLOCK_MONOTONIC 0, µs since 1970.
 */
export function parseNbdkitLog(text: string, wallOffsetUs: number): BlockRead[] {
  const open = new Map<string, BlockRead>();
  const reads: BlockRead[] = [];
  for (const line of text.split('\n')) {
    const found = readLine.exec(line)?.groups;
    if (!found) continue;
    const { date, time, micros, connection, dots, id, offset, count } = found;
    const us = Date.parse(`${date}T${time}`) * 1000 + Number(micros) - wallOffsetUs;
    const key = `${connection}/${id}`;
    const read = open.get(key);
    if (dots === undefined) {
      const place = { offset: Number(offset), bytes: Number(count) };
      open.set(key, { issueUs: us, completeUs: us, ...place, isMetadata: false });
    } else if (read) {
      open.delete(key);
      reads.push({ ...read, completeUs: us });
    }
  }
  return reads.toSorted((one, other) => one.issueUs - other.issueUs);
}
