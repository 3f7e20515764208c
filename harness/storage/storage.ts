import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { FileSystem } from '@cachescope/model/run/variant.ts';
import type { Privilege } from '../privilege.ts';
import type { BackEnd } from './back-ends/back-end.ts';
import { diskPackages, missingOf, python } from '../environment/setup/needs.mjs';
import type { SlowDisk, StorageOptions } from './disk.ts';
import { dmDelay, kernelHasDelayTarget } from './back-ends/dm-delay.ts';
import { fileSystemRecipes } from './file-system.ts';
import { nbdDelay } from './back-ends/nbd-delay.ts';
import { nbdLive } from './back-ends/nbd-live.ts';
import { attachOrdinaryDirectory } from './back-ends/no-delay.ts';
import { attachSlowDisk, reopenSlowDisk, requireAttachable } from './slow-disk.ts';
import { CachescopeError } from '../error.ts';
import type { Journal } from './journal/journal.ts';
import { journalsHere } from './journal/journals.ts';

/** Back ends with a delay, best first: dm-delay works in the kernel; the delay of nbd-delay does not change live. */
export const backEnds: readonly BackEnd[] = [dmDelay, nbdLive, nbdDelay];

/** Selects the back end for `auto`: dm-delay if the kernel has it, else nbd-live. */
export async function resolveStorageKind(
  kind: 'auto' | StorageKind,
  privilege: Privilege,
): Promise<StorageKind> {
  if (kind !== 'auto') return kind;
  return (await kernelHasDelayTarget(privilege)) ? 'dm-delay' : 'nbd-live';
}

/** True when the back end changes its delay under a mounted file system, with files open on it. */
export function changesLive(kind: StorageKind): boolean {
  return backEnds.find((candidate) => candidate.kind === kind)?.changesLive ?? false;
}

/** For users: name of a kind of storage. */
export function titleOf(kind: StorageKind): string {
  return backEnds.find((candidate) => candidate.kind === kind)?.title ?? 'ordinary storage';
}

/** Debian's names of the packages that a back end and its file systems need and that are not installed. */
export function missingPackages(
  kind: StorageKind,
  fileSystems: readonly FileSystem[] = ['ext4'],
): string[] {
  const backEnd = backEnds.find((candidate) => candidate.kind === kind);
  const recipes = fileSystems.map((fileSystem) => fileSystemRecipes[fileSystem].packages);
  const own = backEnd ? [...diskPackages, ...recipes, ...backEnd.packages] : [];
  return missingOf([python, ...own]);
}

/**
 * Refuses storage, and read delays on it, that are not possible, before anything is made.
 *
 * @throws CachescopeError CS_STORAGE_* with every rule that is broken and an alternative.
 */
export async function requireStorage(
  options: StorageOptions,
  delaysMs: readonly number[],
): Promise<void> {
  const backEnd = backEnds.find((candidate) => candidate.kind === options.kind);
  if (backEnd) await requireAttachable(backEnd, options, delaysMs);
}

/**
 * Attaches storage, at delay 0.
 *
 * @throws CachescopeError CS_STORAGE_* when a step fails; everything made before is undone.
 */
export async function attachStorage(options: StorageOptions): Promise<SlowDisk> {
  const backEnd = backEnds.find((candidate) => candidate.kind === options.kind);
  return backEnd ? attachSlowDisk(backEnd, options) : attachOrdinaryDirectory(options.privilege);
}

/**
 * Refuses storage that another program is using.
 *
 * @throws CachescopeError CS_STORAGE_IN_USE with its process id, exit code 3.
 */
export function requireFree({ head, isOwned }: Journal): void {
  if (!isOwned) return;
  throw new CachescopeError(
    'CS_STORAGE_IN_USE',
    `process ${head.owner.pid} is bringing the storage up, changing it or taking it down`,
    { hint: 'Wait until it has ended, then try again.' },
  );
}

/** Standing storage that was taken over. */
export interface Standing {
  disk: SlowDisk;
  /** The read delay that was last set, ms. */
  delayMs: number;
  /** Median latency that it draws for each read in addition, ms. */
  drawnMs: number;
  /** The share of reads that it can be set to fail. */
  badReadRate: number;
}

/**
 * Standing storage attached by an earlier program; null when there is none.
 *
 * @throws CachescopeError CS_STORAGE_IN_USE while another program uses it, CS_STORAGE_GONE when only its journal is
 * left.
 */
export async function standingStorage(privilege: Privilege): Promise<Standing | null> {
  for (const journal of journalsHere()) {
    const { standing } = journal.head;
    const backEnd = backEnds.find((candidate) => candidate.kind === standing?.kind);
    if (!standing || !backEnd) continue;
    requireFree(journal);
    const disk = await reopenSlowDisk(backEnd, journal, standing, privilege);
    const { delayMs, drawnMs = 0, badReadRate = 0 } = standing;
    return { disk, delayMs, drawnMs, badReadRate };
  }
  return null;
}
