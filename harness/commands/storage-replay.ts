import { resolve } from 'node:path';
import { busyMs, type DeviceRead } from '@cachescope/model/explain/device-read.ts';
import { type TracedRead, usableTraces } from '@cachescope/model/explain/traced-read.ts';
import { digits, percent } from '@cachescope/model/quantity.ts';
import { median, quantile } from '@cachescope/model/statistics/quantile.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { seriesAt, seriesName } from '@cachescope/model/sweep/series.ts';
import { CachescopeError } from '../error.ts';
import type { OptionValues } from '../options/option-table.ts';
import { plainTable } from '../results/plain-table.ts';
import { readRunOf } from '../results/run-directory.ts';
import { claimMachine } from '../storage/journal/machine-claim.ts';
import { replayedReads, replayIn } from '../storage/read-replay.ts';
import { say, show } from '../terminal.ts';

/** A traced hit whose device reads were replayed. */
export interface ReplayedHit {
  name: string;
  /** Delay of the device on which it was traced, ms. */
  delayMs: number;
  reads: number;
  serialReads: number | null;
  /** Time with at least one device read in flight in the trace, ms. */
  tracedMs: number;
  /** The same of each repetition on the other disk, ms. */
  replayedMs: number[];
}

const usualRepetitions = 20;

/**
 * Replays the traced hits of a run on the disk of a directory; of each series the one at the longest delay, where its
 * chain is the clearest.
 *
 * @throws CachescopeError CS_STORAGE_REPLAY for a run without traced hits, and for a directory without direct reads.
 */
async function replayHits(
  { traced = [] }: SweepRunDocument,
  directory: string,
  repetitions = usualRepetitions,
): Promise<ReplayedHit[]> {
  const hits = tracedHits(traced);
  if (hits.length === 0) {
    throw new CachescopeError('CS_STORAGE_REPLAY', 'the run has no traced hit from the slow disk', {
      hint: 'Take one with: npm run sweep -- --trace',
    });
  }
  const chains = hits.map(({ deviceReads }) => replayedReads(deviceReads));
  const times = await replayIn(directory, chains, repetitions);
  return hits.map(({ read: { cell, serialReads }, deviceReads }, index) => ({
    name: seriesName(seriesAt(cell)),
    delayMs: cell.delayMs,
    reads: deviceReads.length,
    serialReads,
    tracedMs: busyMs(deviceReads),
    replayedMs: times[index] ?? [],
  }));
}

function tracedHits(
  traced: readonly TracedRead[],
): { read: TracedRead; deviceReads: DeviceRead[] }[] {
  const known = usableTraces(traced).flatMap((read) => {
    const { cell, deviceReads } = read;
    // The control's device serves other programs too.
    if (cell.storage === 'none' || !deviceReads || deviceReads.length === 0) return [];
    return [{ read, deviceReads }];
  });
  const bySeries = Map.groupBy(known, ({ read }) => seriesName(seriesAt(read.cell)));
  return [...bySeries.values()].flatMap((own) => {
    const [slowest] = own.toSorted((one, other) => other.read.cell.delayMs - one.read.cell.delayMs);
    return slowest ?? [];
  });
}

/** The options of `storage replay`. */
export const replayTable = {
  run: {
    isArgument: true,
    isRequired: true,
    value: '<run>',
    description: 'directory of a sweep with traced reads',
  },
  on: {
    isRequired: true,
    value: '<dir>',
    description: 'directory on that disk; holds a file of at least 64 MiB during the replay',
  },
} as const;

/** `cachescope storage replay`: what the device reads of a traced hit cost on the disk of a directory. */
export async function replay({ run, on }: OptionValues<typeof replayTable>): Promise<void> {
  const document = await readRunOf('sweep', resolve(run));
  using _claim = await claimMachine({ wait: false, say });
  const hits = await replayHits(document, resolve(on));
  const head = [
    'traced hit',
    'delay',
    'reads',
    'serial',
    'traced, ms',
    'here, ms',
    'p95',
    'difference',
  ];
  const rows = hits.map(({ name, delayMs, reads, serialReads, tracedMs, replayedMs }) => {
    const hereMs = median(replayedMs);
    const share = hereMs === null ? null : hereMs / tracedMs - 1;
    return [
      name,
      `${delayMs} ms`,
      digits(reads),
      digits(serialReads),
      digits(tracedMs),
      digits(hereMs),
      digits(quantile(replayedMs, 0.95)),
      percent(share),
    ];
  });
  show(
    `Time with at least one device read in flight: traced, and median of ${usualRepetitions} replays in ${resolve(on)}\n\n${plainTable(head, 1, rows)}\n`,
  );
}
