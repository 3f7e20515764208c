import type { Privilege } from '../privilege.ts';
import { Journal, journalDirectory } from './journal.ts';
import { undo } from './undo.ts';

/** Journals of programs that ended without undoing what they made. Storage that is meant to stay is not among them. */
export function leftBehind(directory: string = journalDirectory()): Journal[] {
  return Journal.all(directory).filter(
    (journal) => !journal.isOwned && journal.head.standing === null,
  );
}

/** Undoes what earlier programs left behind, as after a SIGKILL. What cannot be undone is said and left. */
export async function reap(
  privilege: Privilege,
  say: (line: string) => void,
  directory: string = journalDirectory(),
): Promise<void> {
  for (const journal of leftBehind(directory)) {
    if (journal.entries.length > 0) {
      say(
        `Cleaning up what process ${journal.head.owner.pid} left behind (started ${journal.head.startedAt})`,
      );
    }
    try {
      await undo(journal, privilege);
      journal.end();
    } catch (error) {
      say(String(error));
    }
  }
}
