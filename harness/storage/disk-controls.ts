import { join } from 'node:path';
import { CachescopeError, messageOf } from '../error.ts';
import type { BackEnd, DeviceParts } from './back-ends/back-end.ts';
import { blockDirectoryOf, readCounters } from './device-counters.ts';
import {
  defaultReadAheadKiB,
  type DeviceProperties,
  type DiskOptions,
  propertiesAt,
  requireReadDelay,
} from './device-properties.ts';
import type { SlowDisk } from './disk.ts';
import { mountDevice } from './disk-mount.ts';
import type { Journal } from './journal/journal.ts';
import { isMounted } from './mounts.ts';
import { readAheadOf, setReadAhead } from './read-ahead.ts';
import { undo } from './journal/undo.ts';

/** What changes of a disk while it is attached. */
export interface DiskState {
  device: string;
  /** NaN while it is being changed, and after a change that failed. */
  delayMs: number;
  /** Whether bad reads are switched on. */
  readsFail: boolean;
  /** Whether the device writes down its requests; absent: not. */
  logsRequests?: boolean;
}

/** What stays when the device is brought up anew for another delay: the first entries of the journal. */
const lasting = new Set(['directory', 'image']);

function firstDeviceEntry({ entries }: Journal): number {
  // Also when no device is left, as after one that did not come up: image and directory stay.
  return 1 + (entries.findLast(({ made }) => lasting.has(made.kind))?.number ?? -1);
}

/** Takes the device down for another delay. As long as a file on it is open, the disk stays as it is and can be used. */
async function takeDownDevice(parts: DeviceParts): Promise<void> {
  try {
    await undo(parts.journal, parts.privilege, firstDeviceEntry(parts.journal));
  } catch (error) {
    if (!isMounted(parts.mountPoint)) throw error;
    const reason = error instanceof Error ? error.cause : error;
    throw new CachescopeError(
      'CS_STORAGE_BUSY',
      `the delay could not be changed and stays as it was: ${messageOf(reason)}`,
      { hint: 'Close the files on it, then set the delay again.', cause: error },
    );
  }
}

/** Refuses a delay that the back end cannot keep, before anything changes. */
async function requirePossible(
  backEnd: BackEnd,
  { privilege }: DeviceParts,
  options: DiskOptions,
  delayMs: number,
): Promise<void> {
  requireReadDelay(delayMs);
  // The rest was found possible when it was attached.
  if (Number.isInteger(delayMs)) return;
  const problems = await backEnd.problems(options, delayMs, privilege);
  if (problems.length > 0) throw new CachescopeError('CS_STORAGE_DELAY', problems.join('; '));
}

/** What an attached disk can be told, and its counters. */
export function diskControls(
  backEnd: BackEnd,
  parts: DeviceParts,
  options: DiskOptions,
  state: DiskState,
): Pick<
  SlowDisk,
  'device' | 'counters' | 'setDelay' | 'setBadReadRate' | 'logRequests' | 'detach'
> {
  const { journal, privilege } = parts;
  const badReadRate = options.badReadRate ?? 0;

  async function switchBadReads(on: boolean): Promise<void> {
    if (on === state.readsFail) return;
    await backEnd.switchBadReads(parts, propertiesAt(options, state.delayMs), on);
    state.readsFail = on;
    journal.note({ readsFail: on });
  }

  function requireAttached(): void {
    if (journal.entries.length === 0)
      throw new CachescopeError('CS_STORAGE_GONE', 'the disk is detached');
  }

  /** A new table makes device-mapper derive the read-ahead anew (dm_table_set_restrictions). */
  async function keepReadAhead(): Promise<void> {
    if (!journal.entries.some(({ made }) => made.kind === 'device-mapper')) return;
    const { fileSystem = 'ext4', readAheadKiB = defaultReadAheadKiB } = options;
    await setReadAhead(fileSystem, state.device, readAheadKiB, privilege);
    const kept = privilege.dryRun ? readAheadKiB : await readAheadOf(fileSystem, state.device);
    if (kept === null || kept === readAheadKiB) return;
    throw new CachescopeError(
      'CS_STORAGE_READ_AHEAD',
      `the read-ahead is ${kept} KiB after the delay was changed; ${readAheadKiB} KiB was asked for`,
    );
  }

  /** For back ends that cannot change live. What is mounted in between must not fail. */
  async function bringUpAnew(properties: DeviceProperties): Promise<void> {
    const { readsFail } = state;
    await switchBadReads(false);
    await takeDownDevice(parts).catch(async (error: unknown) => {
      // Undoing takes live delays away first.
      await backEnd.change?.(parts, propertiesAt(options, state.delayMs));
      throw error;
    });
    state.delayMs = Number.NaN;
    state.device = await mountDevice(backEnd, parts, options, properties);
    await switchBadReads(readsFail);
  }

  return {
    device: () => state.device,
    counters: () => readCounters(join(blockDirectoryOf(state.device), 'stat')),
    async setDelay(delayMs) {
      const { logsRequests = false } = state;
      const properties = { ...propertiesAt(options, delayMs), logsRequests };
      await requirePossible(backEnd, parts, options, delayMs);
      requireAttached();
      if (delayMs === state.delayMs) return;
      if (backEnd.change) {
        // Until the change is done the delay is unknown: NaN equals none, so the next setting is always carried out.
        state.delayMs = Number.NaN;
        await backEnd.change(parts, properties);
        await keepReadAhead();
      } else {
        await bringUpAnew(properties);
      }
      state.delayMs = delayMs;
      journal.note({ delayMs });
    },
    ...(badReadRate > 0 && {
      async setBadReadRate(rate: number) {
        requireAttached();
        if (rate !== 0 && rate !== badReadRate) {
          throw new CachescopeError(
            'CS_STORAGE_BAD_READS',
            `the rate of bad reads is ${rate}; this disk was attached for 0 and ${badReadRate}`,
            { exitCode: 2 },
          );
        }
        await switchBadReads(rate > 0);
      },
    }),
    ...(backEnd.requestLog && {
      async logRequests() {
        requireAttached();
        const { delayMs } = state;
        const properties = { ...propertiesAt(options, delayMs), logsRequests: true };
        if (!state.logsRequests) await bringUpAnew(properties);
        Object.assign(state, { delayMs, logsRequests: true });
        return backEnd.requestLog?.(parts) ?? '';
      },
    }),
    async detach() {
      if (journal.entries.length > 0) await calm();
      await undo(journal, privilege);
      journal.end();
    },
  };

  /** Reads that fail or take seconds would make an unmount look like a hang. If this fails, undoing is all the more due. */
  async function calm(): Promise<void> {
    await switchBadReads(false).catch(() => undefined);
    await backEnd
      .change?.(parts, propertiesAt({ ...options, writeDelayMs: 0, flushDelayMs: 0 }, 0))
      .catch(() => undefined);
  }
}
