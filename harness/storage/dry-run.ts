import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { attachStorage } from './storage.ts';

/** Shows in a dry run the commands that storage with these delays takes; none without delays, or on ordinary storage. */
export async function dryRunDelays(
  {
    storage,
    delaysMs,
    delayWrites = false,
  }: { storage: StorageKind; delaysMs: readonly number[]; delayWrites?: boolean },
  privilege: Privilege,
): Promise<void> {
  if (delaysMs.length === 0 || storage === 'none') return;
  const disk = await attachStorage({ kind: storage, delayWrites, privilege });
  for (const delayMs of delaysMs) await disk.setDelay(delayMs);
  await disk.detach();
}

/**
 * Whether the page cache can be dropped. Where it cannot, a message names what is skipped: `cold reads`.
 *
 * @throws the refusal, when nothing can be measured without dropping it.
 */
export async function mayDropPageCache(
  { privilege, say }: { privilege: Privilege; say: (line: string) => void },
  isNeeded: boolean,
  what: string,
): Promise<boolean> {
  try {
    await privilege.dropPageCache();
    return true;
  } catch (error) {
    if (isNeeded) throw error;
    say(`The page cache cannot be dropped, so no ${what} are taken: ${messageOf(error)}`);
    return false;
  }
}
