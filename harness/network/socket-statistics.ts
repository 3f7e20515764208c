import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SocketStatistics } from '@cachescope/model/network/link.ts';

const limitMs = 5000;

/**
 * Open TCP connections of this machine's address `host` with what the kernel keeps of each, by ss(8); empty where there is no
 * ss.
 */
export async function socketStatistics(host: string): Promise<SocketStatistics[]> {
  const { stdout } = await promisify(execFile)(
    'ss',
    ['-HtinO', 'state', 'established', 'src', host],
    {
      timeout: limitMs,
    },
  ).catch(() => ({ stdout: '' }));
  return stdout.split('\n').flatMap((line) => readStatistics(line) ?? []);
}

/** Reads a line of `ss -HtinO`; null: it has no statistics. */
export function readStatistics(line: string): SocketStatistics | null {
  const number = (pattern: RegExp): number | null => {
    const [, digits] = pattern.exec(line) ?? [];
    return digits === undefined ? null : Number(digits);
  };
  const [, congestion] = /\b(bbr|cubic|reno|[a-z]+) (?:wscale|rto|ecn)/.exec(line) ?? [];
  const windowSegments = number(/\bcwnd:(\d+)/);
  if (congestion === undefined || windowSegments === null) return null;
  return {
    congestion,
    windowSegments,
    roundTripMs: number(/\brtt:([\d.]+)/),
    // "retrans:0/3": now in flight, and in all; absent: none.
    retransmits: number(/\bretrans:\d+\/(\d+)/) ?? 0,
    sentBytes: number(/\bbytes_sent:(\d+)/),
  };
}
