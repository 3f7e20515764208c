import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CachescopeError } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { Journal } from '../storage/journal/journal.ts';
import { deviceMountedAt, isMounted } from '../storage/mounts.ts';
import { undo } from '../storage/journal/undo.ts';
import { type BlockEvents, parseBlockEvents } from './block-events.ts';
import { blockDirectory, sectorBytes } from '../storage/device-counters.ts';

/** Mount points of the kernel's tracefs; the second one on older systems. */
const mountPoints = ['/sys/kernel/tracing', '/sys/kernel/debug/tracing'];

/** The kernel's own record of a device's reads, in the clock of Chromium's trace. */
export interface BlockTrace {
  /** Starts recording, and discards earlier records. */
  begin(device: TracedDevice): Promise<void>;
  /** The events since `begin`. */
  end(): Promise<BlockEvents>;
}

/** Why this kernel's tracing is not available; null when it is. */
export function blockTraceProblem(): string | null {
  if (mountPoints.some(isMounted)) return null;
  const known = readFileSync('/proc/filesystems', 'utf8').split(/\s+/);
  return known.includes('tracefs') ? null : 'this kernel has no tracefs';
}

/**
 * Opens our own instance of the kernel's tracing, so that no other instance is affected. `resources` removes it.
 *
 * @throws CachescopeError CS_BLOCK_TRACE when the kernel lacks the block tracepoints, CS_COMMAND when it refuses.
 */
export async function openBlockTrace(
  privilege: Privilege,
  resources: AsyncDisposableStack,
): Promise<BlockTrace> {
  // One journal for all entries, so that they are undone in reverse order.
  const journal = Journal.begin({ inMemory: privilege.dryRun });
  resources.defer(async () => {
    await undo(journal, privilege);
    journal.end();
  });
  const root = mountPoints.find(isMounted) ?? (await mountTracing(journal, privilege));
  await privilege.run(['test', '-d', join(root, 'events/block')]).catch((error: unknown) => {
    throw new CachescopeError('CS_BLOCK_TRACE', 'this kernel has no block tracepoints', {
      hint: 'They come with CONFIG_BLK_DEV_IO_TRACE.',
      cause: error,
    });
  });
  const instance = join(root, 'instances', `cachescope-${process.pid}`);
  journal.record({ kind: 'tracing-instance', path: instance });
  await privilege.run(['mkdir', instance]);
  const write = async (name: string, text: string): Promise<void> => {
    await privilege.run(['tee', join(instance, name)], { input: text });
  };
  const switchEvents = async (names: readonly string[], on: boolean): Promise<void> => {
    for (const name of names) await write(`events/block/${name}/enable`, on ? '1' : '0');
  };
  await write('trace_clock', 'mono');
  let events: readonly string[] = [];
  return {
    async begin({ number, isMapped }) {
      events = isMapped
        ? ['block_bio_queue', 'block_bio_complete']
        : ['block_rq_issue', 'block_rq_complete'];
      await write('trace', '');
      for (const name of events) await write(`events/block/${name}/filter`, `dev == ${number}`);
      await switchEvents(events, true);
    },
    async end() {
      await switchEvents(events, false);
      return parseBlockEvents(await privilege.run(['cat', join(instance, 'trace')]));
    },
  };
}

/** In a dry run: shows the privileged commands of a traced read. */
export async function dryRunBlockTrace(privilege: Privilege): Promise<void> {
  if (blockTraceProblem() !== null) return;
  await using resources = new AsyncDisposableStack();
  const trace = await openBlockTrace(privilege, resources);
  await trace.begin({ number: 'DEVICE', isMapped: false, offset: 0 });
  await trace.end();
}

/** Mounts the kernel's tracefs in a directory of ours. */
async function mountTracing(journal: Journal, privilege: Privilege): Promise<string> {
  const name = `cachescope-tracing-${randomBytes(4).toString('hex')}`;
  const directory = join(await realpath(tmpdir()), name);
  journal.record({ kind: 'directory', path: directory });
  const path = join(directory, 'tracing');
  if (!privilege.dryRun) await mkdir(path, { recursive: true, mode: 0o700 });
  journal.record({ kind: 'mount', path });
  await privilege.run(['mount', '-t', 'tracefs', 'tracefs', path]);
  return path;
}

/** The block device under a directory, as the kernel's events identify it. */
interface TracedDevice {
  /**
   * The kernel's own number, the major number shifted by 20 bits with the minor number (MKDEV, include/linux/kdev_t.h); a
   * placeholder in a dry run.
   */
  number: number | string;
  /** Device-mapper forwards bios, and has no requests of its own. */
  isMapped: boolean;
  /** Offset of the file system on the device, bytes: a partition's start. */
  offset: number;
}

/** The device that stores a directory; null for a file system without one. */
export function tracedDevice(directory: string): TracedDevice | null {
  const mounted = deviceMountedAt(directory);
  // On btrfs a file's own device number is synthetic, so that of the mounted device is preferred.
  const number =
    mounted !== null && existsSync(mounted) ? statSync(mounted).rdev : statSync(directory).dev;
  const link = blockDirectory(number);
  if (link === null) return null;
  const own = realpathSync(link);
  const isPartition = existsSync(join(own, 'partition'));
  const whole = isPartition ? dirname(own) : own;
  const [major = 0, minor = 0] = textOf(whole, 'dev').split(':').map(Number);
  return {
    number: major * 2 ** 20 + minor,
    isMapped: existsSync(join(whole, 'dm')),
    offset: isPartition ? Number(textOf(own, 'start')) * sectorBytes : 0,
  };
}

function textOf(directory: string, name: string): string {
  return readFileSync(join(directory, name), 'utf8').trim();
}
