import type { BlockRead } from './block-events.ts';

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
