import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SocketStatistics } from '@cachescope/model/network/link.ts';

const limitMs = 5000;

/**
 * The open TCP connection of a server (`198.18.0.2:8043`) that sent last, with what the kernel keeps of it, by ss(8); null
 * where there is none, or no ss.
 */
export async function socketStatistics(server: string): Promise<SocketStatistics | null> {
  const { stdout } = await promisify(execFile)(
    'ss',
    ['-HtinO', 'state', 'established', 'src', server],
    {
      timeout: limitMs,
    },
  ).catch(() => ({ stdout: '' }));
  const found = stdout.split('\n').flatMap((line) => readStatistics(line) ?? []);
  const [last] = found.toSorted((one, other) => one.sinceSentMs - other.sinceSentMs);
  if (!last) return null;
  const { sinceSentMs: _since, ...statistics } = last;
  return statistics;
}

/** Reads a line of `ss -HtinO`; null: it has no statistics. */
export function readStatistics(line: string): (SocketStatistics & { sinceSentMs: number }) | null {
  const number = (pattern: RegExp): number | null => {
    const [, digits] = pattern.exec(line) ?? [];
    return digits === undefined ? null : Number(digits);
  };
  const [, congestion] = /\b(bbr|cubic|reno|[a-z]+) (?:wscale|rto|ecn)/.exec(line) ?? [];
  const windowSegments = number(/\bcwnd:(\d+)/);
  if (congestion === undefined || windowSegments === null) return null;
  const sentSegments = number(/\bdata_segs_out:(\d+)/);
  return {
    congestion,
    windowSegments,
    roundTripMs: number(/\brtt:([\d.]+)/),
    // "retrans:0/3": now in flight, and in all; absent: none.
    retransmits: number(/\bretrans:\d+\/(\d+)/) ?? 0,
    sentBytes: number(/\bbytes_sent:(\d+)/),
    ...(sentSegments !== null && { sentSegments }),
    // Both are absent where they are 0; "busy" is not.
    ...(/\bbusy:/.test(line) && {
      receiveWindowLimitedMs: number(/\brwnd_limited:(\d+)ms/) ?? 0,
      sendBufferLimitedMs: number(/\bsndbuf_limited:(\d+)ms/) ?? 0,
    }),
    // Absent: just now.
    sinceSentMs: number(/\blastsnd:(\d+)/) ?? 0,
  };
}
