import { type DeviceFaults, type SlowPart, slowParts } from '@cachescope/model/sweep/run.ts';
import { someInOrder } from './name-reading.ts';
import type { Problems, TextsOf } from './option-reading.ts';
import { delayRule, quantity } from './quantity-option.ts';

/** The options for the slow device's effects other than delayed reads. */
export type RawDevice = TextsOf<'writeDelay' | 'flushDelay' | 'bandwidth' | 'badReads'>;

const readNamedParts = someInOrder(slowParts);
const readDelay = quantity(delayRule);
const readRate = quantity({ kind: 'rate', from: '10kB/s', to: '100GB/s' });
const readShare = quantity({ kind: 'share', from: '0%', to: '100%', bare: '1' });

/** The device's effects other than delayed reads; undefined when it has none. */
export function readDevice(raw: RawDevice, problems: Problems): DeviceFaults | undefined {
  const asked = [
    ['writeDelayMs', raw.writeDelay, '--write-delay', readDelay],
    ['flushDelayMs', raw.flushDelay, '--flush-delay', readDelay],
    ['bandwidthBytesPerSecond', raw.bandwidth, '--bandwidth', readRate],
    ['badReadRate', raw.badReads, '--bad-reads', readShare],
  ] as const;
  const faults: DeviceFaults = {};
  for (const [name, text, flag, read] of asked)
    if (text !== undefined) faults[name] = read(text, flag, problems);
  return Object.keys(faults).length === 0 ? undefined : faults;
}

/** The data stored on the slow disk; undefined for the cache alone. */
export function readSlowParts(
  text: string | undefined,
  problems: Problems,
): SlowPart[] | undefined {
  if (text === undefined) return undefined;
  const unknown: Problems = [];
  const named = readNamedParts(text, '--slow', unknown);
  if (unknown.length === 0 && !named.includes('cache')) {
    problems.push(
      `--slow ${text} leaves the cache on ordinary storage, where its device reads cannot be counted; add cache`,
    );
  }
  problems.push(...unknown);
  return named;
}
