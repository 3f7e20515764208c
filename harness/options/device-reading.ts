import { type DeviceFaults, type SlowPart, slowParts } from '@cachescope/model/sweep-run.ts';
import { maxDelayMs } from '../storage/delay.ts';
import { type Problems, readNumber } from './option-reading.ts';

/** The flags that say what the slow device does besides delaying reads, and what lies on it. */
export interface RawDevice {
  slow?: string | undefined;
  writeDelay?: string | undefined;
  flushDelay?: string | undefined;
  bandwidth?: string | undefined;
  badReads?: string | undefined;
}

const rateUnits = { kB: 1e3, MB: 1e6, GB: 1e9 } as const;

/** `20MB/s` -> bytes per second. */
function readRate(text: string, problems: Problems): number {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)(kB|MB|GB)\/s$/.exec(text) ?? [];
  const rate = Number(digits) * (rateUnits[unit as keyof typeof rateUnits] ?? Number.NaN);
  if (rate >= 1e4) return Math.round(rate);
  problems.push(
    `--bandwidth is ${JSON.stringify(text)}; it must be a rate with its unit, from 10kB/s: 20MB/s`,
  );
  return Number.NaN;
}

function readDelay(flag: string, text: string, problems: Problems): number {
  return readNumber(flag, text, [0, maxDelayMs], 'ms', problems);
}

/** What the device does besides delaying reads; undefined when it does nothing more. */
export function readDevice(raw: RawDevice, problems: Problems): DeviceFaults | undefined {
  const { writeDelay, flushDelay, bandwidth, badReads } = raw;
  const faults: DeviceFaults = {
    ...(writeDelay !== undefined && {
      writeDelayMs: readDelay('--write-delay', writeDelay, problems),
    }),
    ...(flushDelay !== undefined && {
      flushDelayMs: readDelay('--flush-delay', flushDelay, problems),
    }),
    ...(bandwidth !== undefined && { bandwidthBytesPerSecond: readRate(bandwidth, problems) }),
    ...(badReads !== undefined && {
      badReadRate: readNumber('--bad-reads', badReads, [0, 1], 'the reads, as a share', problems),
    }),
  };
  return Object.keys(faults).length === 0 ? undefined : faults;
}

/** What lies on the slow disk; undefined for the cache alone. */
export function readSlowParts(
  text: string | undefined,
  problems: Problems,
): SlowPart[] | undefined {
  if (text === undefined) return undefined;
  const named = text.split(',').map((name) => name.trim());
  const unknown = named.filter((name) => !slowParts.includes(name as SlowPart));
  if (unknown.length > 0) {
    problems.push(
      `--slow names ${unknown.map((name) => JSON.stringify(name)).join(', ')}; known are ${slowParts.join(', ')}`,
    );
  }
  if (unknown.length === 0 && !named.includes('cache')) {
    problems.push(
      `--slow ${text} leaves the cache on ordinary storage, where no device of ours can witness its reads; add cache`,
    );
  }
  return slowParts.filter((part) => named.includes(part));
}
