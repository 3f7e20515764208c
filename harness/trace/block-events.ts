import { sectorBytes } from '../storage/device-counters.ts';

/** A read request of a block device, by the clock of the kernel's trace. */
export interface BlockRead {
  /** µs, CLOCK_MONOTONIC. */
  issueUs: number;
  completeUs: number;
  /** Place on the device, bytes. */
  offset: number;
  bytes: number;
  /** The request carries REQ_META: it is the file system's own. false where the witness does not tell. */
  isMetadata: boolean;
  /** The request carries REQ_RAHEAD; absent where the witness does not tell. */
  isReadAhead?: boolean;
}

/** What a trace of the kernel's block events holds. */
export interface BlockEvents {
  /** By issue. */
  reads: BlockRead[];
  /** Events that the kernel's buffer had no room for. */
  lostEvents: number;
}

/**
 * `TASK-PID [CPU] FLAGS SECONDS: EVENT: MAJOR,MINOR RWBS [BYTES] [(COMMAND)] SECTOR + SECTORS`, as TP_printk of
 * include/trace/events/block.h writes requests (block_rq_*) and, for device-mapper, bios (block_bio_*).
 */
const eventLine =
  /\s(?<seconds>\d+\.\d{6}): block_(?:rq_issue|rq_complete|bio_queue|bio_complete): \d+,\d+ (?<flags>[A-Z]+) (?:\d+ )?(?:\(.*?\) )?(?<sector>\d+) \+ (?<sectors>\d+)/;
const isEnd = /: block_(?:rq|bio)_complete: /;
const bufferLine = /^# entries-in-buffer\/entries-written: (\d+)\/(\d+)/m;

/** Reads the text of tracefs' `trace`. Requests that were not completed while it was taken are left out. */
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
