import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { basename, join } from 'node:path';
import { CachescopeError, messageOf } from '../../error.ts';
import { kernelText } from '../../kernel-text.ts';
import type { Privilege } from '../../privilege.ts';
import type { BackEnd, DeviceParts } from './back-end.ts';
import { badBlocksTable, delayTable, isMapped, soundTable } from './device-mapper.ts';
import { fractionalDelays, propertiesAt } from '../device-properties.ts';
import { loopDevicesOver } from '../loop-devices.ts';

/** Time limit for device-mapper to exchange a table, ms: it waits for the requests in flight. */
const changeLimitMs = 15_000;

/**
 * Whether the kernel has a device-mapper target; loads its module if needed. A dry run loads nothing and checks what is
 * installed for this kernel.
 */
async function kernelHasTarget(name: string, privilege: Privilege): Promise<boolean> {
  const isLoaded = () => existsSync(`/sys/module/dm_${name}`);
  if (isLoaded() || isListed(name, 'modules.builtin')) return true;
  if (isListed(name, 'modules.dep')) {
    await privilege.run(['modprobe', '-q', `dm-${name}`]).catch(() => undefined);
    return isLoaded() || privilege.dryRun;
  }
  // A kernel without files about its modules: only dmsetup knows.
  return !privilege.dryRun && existsSync('/dev/mapper/control') && isTarget(name, privilege);
}

/** Whether the kernel has device-mapper's delay target. */
export function kernelHasDelayTarget(privilege: Privilege): Promise<boolean> {
  return kernelHasTarget('delay', privilege);
}

/** Whether a list of this kernel's modules names the target (modules.builtin, modules.dep; kmod). */
function isListed(name: string, list: string): boolean {
  return kernelText(`/lib/modules/${release()}/${list}`).includes(`/dm-${name}.ko`);
}

async function isTarget(name: string, privilege: Privilege): Promise<boolean> {
  const targets = await privilege.run(['dmsetup', 'targets']).catch(() => '');
  return targets.split('\n').some((line) => line.split(/\s/)[0] === name);
}

/** Name of the mapped device. */
function nameOf({ directory }: DeviceParts): string {
  return basename(directory);
}

/** Name of the mapped device below it, whose reads can fail. */
function lowerNameOf(parts: DeviceParts): string {
  return `${nameOf(parts)}-reads`;
}

/** The device below the delay target. */
function lowerDevice(parts: DeviceParts): string {
  const name = lowerNameOf(parts);
  if (isMapped(name)) return `/dev/mapper/${name}`;
  const [device] = loopDevicesOver(parts.image);
  if (device !== undefined) return device;
  if (parts.privilege.dryRun) return '/dev/loopN';
  throw new CachescopeError('CS_STORAGE_GONE', `no loop device is over ${parts.image}`);
}

async function create(parts: DeviceParts, name: string, table: string): Promise<void> {
  const { journal, privilege } = parts;
  journal.record({ kind: 'device-mapper', name });
  await privilege.run(['dmsetup', 'create', name, '--table', table]);
  // Without udev, as in containers, nothing else creates the device node.
  if (!privilege.dryRun && !existsSync(`/dev/mapper/${name}`))
    await privilege.run(['dmsetup', 'mknodes', name]);
}

/**
 * Exchanges the table of a device in use. The load comes first and may fail. The resume then suspends, exchanges and
 * resumes within the kernel, so no crash leaves a device suspended; every access to a suspended device hangs.
 */
export async function exchangeTable(
  name: string,
  table: readonly string[],
  privilege: Privilege,
): Promise<void> {
  try {
    const limit = { limitMs: changeLimitMs };
    await privilege.run(['dmsetup', 'load', name, ...table], limit);
    await privilege.run(['dmsetup', 'resume', '--noflush', '--nolockfs', name], limit);
  } catch (error) {
    throw new CachescopeError('CS_STORAGE_DM', `${name} took no new table: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function bringUpLower(parts: DeviceParts, loop: string): Promise<string> {
  const name = lowerNameOf(parts);
  try {
    await create(parts, name, soundTable(loop, parts.imageBytes));
  } catch (error) {
    throw new CachescopeError(
      'CS_STORAGE_BAD_READS',
      `this kernel's flakey target cannot fail reads alone: ${messageOf(error)}`,
      { hint: 'Use --storage nbd-live, or a newer kernel with dm-flakey.', cause: error },
    );
  }
  return `/dev/mapper/${name}`;
}

/** The kernel's delay target over a loop device, with the flakey target between them if reads are to fail. */
export const dmDelay: BackEnd = {
  kind: 'dm-delay',
  changesLive: true,
  packages: [{ name: 'dmsetup', program: 'dmsetup', probe: ['--help'] }],
  title: "device-mapper's delay target over a loop device",
  delayedWritesText: 'writes and flushes delayed as reads',
  async problems(options, readDelayMs, privilege) {
    const properties = propertiesAt(options, readDelayMs);
    const fractions = fractionalDelays(properties);
    const canFail = properties.badReadRate === 0 || (await kernelHasTarget('flakey', privilege));
    const problems = [
      options.profile &&
        'dm-delay has one latency for all reads; for a profile use --storage nbd-live',
      fractions.length > 0 &&
        `the delay is ${fractions.join(' and ')} ms; dm-delay counts delays in whole ms, in every kernel up to now: round it, or use --storage nbd-live`,
      properties.bandwidthBytesPerSecond !== null &&
        'no target of device-mapper limits the bandwidth: use --storage nbd-live, or omit --bandwidth',
      !canFail &&
        'this kernel has no dm-flakey, which bad reads need: use --storage nbd-live, or omit --bad-reads',
    ];
    return problems.filter((problem) => typeof problem === 'string');
  },
  async bringUp(parts, properties) {
    const { image, imageBytes, journal, privilege } = parts;
    const made = { kind: 'loop', backingFile: image } as const;
    const entry = journal.record(made);
    const loop =
      (await privilege.run(['losetup', '--find', '--show', image])).trim() || '/dev/loopN';
    journal.refine(entry, { ...made, device: loop });
    const below = properties.badReadRate > 0 ? await bringUpLower(parts, loop) : loop;
    const name = nameOf(parts);
    await create(parts, name, delayTable(below, imageBytes, properties));
    return `/dev/mapper/${name}`;
  },
  async change(parts, properties) {
    const table = delayTable(lowerDevice(parts), parts.imageBytes, properties);
    await exchangeTable(nameOf(parts), ['--table', table], parts.privilege);
  },
  async switchBadReads(parts, { badReadRate }, on) {
    const { directory, image, imageBytes, privilege } = parts;
    const [loop = '/dev/loopN'] = loopDevicesOver(image);
    const table = on ? badBlocksTable(loop, imageBytes, badReadRate) : soundTable(loop, imageBytes);
    // Too long for a command-line argument.
    const file = join(directory, 'reads-table');
    if (!privilege.dryRun) await writeFile(file, `${table}\n`);
    await exchangeTable(lowerNameOf(parts), [file], privilege);
  },
};
