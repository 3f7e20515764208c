import type { PlannedDisk } from '@cachescope/model/sweep/run.ts';
import type { Problems } from './option-reading.ts';
import { delayRule, quantity } from './quantity-option.ts';

const { bare: _, ...delayWithUnit } = delayRule;
const readDelay = quantity(delayWithUnit);
const readRate = quantity({ kind: 'rate', from: '1kB/s', to: '1000GB/s' });
const readAheadOf = quantity({ kind: 'size', from: '0KiB', to: '1GiB' });

/** A hypothetical disk: the time of one read, its bandwidth and its read-ahead: `0.3ms,120MB/s,128KiB`. */
export function readDisk(text: string, flag: string, problems: Problems): PlannedDisk {
  const [delay = '', rate = '', readAhead, ...rest] = text.split(',');
  if (rest.length > 0)
    problems.push(
      `${flag} ${text} has more than the time of a read, a bandwidth and a read-ahead, as 0.3ms,120MB/s,128KiB`,
    );
  const where = `${flag} ${JSON.stringify(text)}:`;
  return {
    name: text,
    delayMs: readDelay(delay, `${where} the time of a read`, problems),
    bandwidthBytesPerSecond: readRate(rate, `${where} the bandwidth`, problems),
    ...(readAhead !== undefined && {
      readAheadKiB: readAheadOf(readAhead, `${where} the read-ahead`, problems) / 1024,
    }),
  };
}
