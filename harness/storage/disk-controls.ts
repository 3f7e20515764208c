import { join } from 'node:path';
import { CachescopeError, messageOf } from '../error.ts';
import type { DeviceParts, DiskSetup } from './back-ends/back-end.ts';
import { blockDirectoryOf, readCounters } from './device-counters.ts';
import {
  defaultReadAheadKiB,
  type DeviceProperties,
  propertiesAt,
  requireReadDelay,
} from './device-properties.ts';
import type { SlowDisk } from './disk.ts';
import { mountDevice } from './disk-mount.ts';
import type { Journal } from './journal/journal.ts';
import { isMounted } from './mounts.ts';
import { readAheadOf, setReadAhead } from './read-ahead.ts';
import { undo } from './journal/undo.ts';

/** State of an attached disk that can change. */
export interface DiskState {
  device: string;
  /** NaN while it is being changed, and after a change that failed. */
  delayMs: number;
  /** Whether bad reads are switched on. */
  readsFail: boolean;
  /** Whether reads draw their latency from the profile; absent: no. */
  drawsLatency?: boolean;
  /** Whether the device logs its requests; absent: no. */
  logsRequests?: boolean;
}

/** Journal entries that stay when the device is recreated for another delay: the first entries of the journal. */
const lasting = new Set(['directory', 'image']);

function firstDeviceEntry({ entries }: Journal): number {
  // Also correct when no device is left, for example after a failed start: image and directory stay.
  return 1 + (entries.findLast(({ made }) => lasting.has(made.kind))?.number ?? -1);
}

/**
 * Removes the device before it is recreated with another delay. While a file on it is open, the disk stays unchanged
 * and usable.
 */
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

function isBusy(error: unknown): boolean {
  return error instanceof CachescopeError && error.code === 'CS_STORAGE_BUSY';
}

/** Refuses a delay that the back end does not support, before anything changes. */
async function requirePossible(
  { backEnd, options, privilege }: DiskSetup,
  delayMs: number,
): Promise<void> {
  requireReadDelay(delayMs);
  // All other options were checked when the disk was attached.
  if (Number.isInteger(delayMs)) return;
  const problems = await backEnd.problems(options, delayMs, privilege);
  if (problems.length > 0) throw new CachescopeError('CS_STORAGE_DELAY', problems.join('; '));
}

/** The operations on an attached disk, and its counters. */
export function diskControls(
  disk: DiskSetup,
  state: DiskState,
): Omit<SlowDisk, 'kind' | 'directory' | 'describe' | 'fileSystem' | 'readAheadKiB'> {
  const { backEnd, options, journal, privilege } = disk;
  const badReadRate = options.badReadRate ?? 0;

  async function switchBadReads(on: boolean): Promise<void> {
    if (on === state.readsFail) return;
    await backEnd.switchBadReads(disk, propertiesAt(options, state.delayMs), on);
    state.readsFail = on;
    journal.note({ readsFail: on });
  }

  async function switchProfile(on: boolean): Promise<void> {
    if (on === (state.drawsLatency ?? false)) return;
    await backEnd.switchProfile?.(disk, propertiesAt(options, state.delayMs), on);
    state.drawsLatency = on;
  }

  function requireAttached(): void {
    if (journal.entries.length === 0)
      throw new CachescopeError('CS_STORAGE_GONE', 'the disk is detached');
  }

  /** After a table change, device-mapper derives the read-ahead again (dm_table_set_restrictions). */
  async function keepReadAhead(): Promise<void> {
    if (!journal.entries.some(({ made }) => made.kind === 'device-mapper')) return;
    const { fileSystem = 'ext4', readAheadKiB = defaultReadAheadKiB } = options;
    await setReadAhead(fileSystem, state.device, readAheadKiB, privilege);
    const kept = privilege.dryRun ? readAheadKiB : await readAheadOf(fileSystem, state.device);
    if (kept === null || kept === readAheadKiB) return;
    throw new CachescopeError(
      'CS_STORAGE_READ_AHEAD',
      `the read-ahead is ${kept} KiB after the delay was changed; ${readAheadKiB} KiB was requested`,
    );
  }

  /** For back ends that cannot change live. Reads must not fail while the disk is remounted. */
  async function attachAgain(properties: DeviceProperties): Promise<void> {
    const { readsFail, drawsLatency = false } = state;
    const switchBack = async () => {
      await switchBadReads(readsFail);
      await switchProfile(drawsLatency);
    };
    await switchBadReads(false);
    await switchProfile(false);
    const beforeMs = state.delayMs;
    // Unknown from here on, as in a live change: the disk may be unmounted when its removal fails.
    state.delayMs = Number.NaN;
    await takeDownDevice(disk).catch(async (error: unknown) => {
      if (isBusy(error)) {
        state.delayMs = beforeMs;
        await switchBack();
      }
      throw error;
    });
    state.device = await mountDevice(disk, properties);
    await switchBack();
  }

  return {
    device: () => state.device,
    counters: () => readCounters(join(blockDirectoryOf(state.device), 'stat')),
    async setDelay(delayMs) {
      const { logsRequests = false } = state;
      const properties = { ...propertiesAt(options, delayMs), logsRequests };
      await requirePossible(disk, delayMs);
      requireAttached();
      if (delayMs === state.delayMs) return;
      if (backEnd.change) {
        // Until the change is complete the delay is unknown: NaN never equals a requested delay, so the next call
        // always sets it.
        state.delayMs = Number.NaN;
        await backEnd.change(disk, properties);
        await keepReadAhead();
      } else {
        await attachAgain(properties);
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
    ...(options.profile && {
      async setProfile(on: boolean) {
        requireAttached();
        await switchProfile(on);
      },
    }),
    ...(backEnd.requestLog && {
      async logRequests() {
        requireAttached();
        const { delayMs } = state;
        const properties = { ...propertiesAt(options, delayMs), logsRequests: true };
        if (!state.logsRequests) await attachAgain(properties);
        Object.assign(state, { delayMs, logsRequests: true });
        return backEnd.requestLog?.(disk) ?? '';
      },
    }),
    async detach() {
      privilege.images.delete(disk.image);
      if (journal.entries.length > 0) await removeDelays();
      await undo(journal, privilege);
      journal.end();
    },
  };

  /**
   * Reads that fail or take seconds would make an unmount look like a hang. If this fails, undoing is needed all the
   * more.
   */
  async function removeDelays(): Promise<void> {
    await switchBadReads(false).catch(() => undefined);
    await switchProfile(false).catch(() => undefined);
    await backEnd
      .change?.(disk, propertiesAt({ ...options, writeDelayMs: 0, flushDelayMs: 0 }, 0))
      .catch(() => undefined);
  }
}
