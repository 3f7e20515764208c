import { CachescopeError } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import type { SlowDisk } from './disk.ts';
import { Journal } from './journal/journal.ts';
import { reopenSlowDisk } from './slow-disk.ts';
import { backEnds } from './storage.ts';

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
  for (const journal of Journal.all()) {
    const { standing } = journal.head;
    const backEnd = backEnds.find((candidate) => candidate.kind === standing?.kind);
    if (!standing || !backEnd) continue;
    requireFree(journal);
    const disk = await reopenSlowDisk(backEnd, journal, standing, privilege);
    return { disk, delayMs: standing.delayMs, badReadRate: standing.badReadRate ?? 0 };
  }
  return null;
}
