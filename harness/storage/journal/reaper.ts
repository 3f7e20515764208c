import { rmSync } from 'node:fs';
import type { Privilege } from '../../privilege.ts';
import { Journal } from './journal.ts';
import { journalsHere, journalsWithoutOwner } from './journals.ts';
import { journalDirectory } from './state-directory.ts';
import { isMounted } from '../mounts.ts';
import { undo } from './undo.ts';

/**
 * Whether standing storage is still mounted: after a restart of the machine, or an interrupted start, it counts as left
 * behind.
 */
function stands({ head, entries }: Journal): boolean {
  if (head.standing === null) return false;
  return entries.some(({ made }) => made.kind === 'mount' && isMounted(made.path));
}

/**
 * Journals of programs that exited without undoing their entries. Standing storage is not among them. `report` is called
 * with a sentence for each journal that is not acted on, or only in part.
 */
export function leftBehind(
  directory: string = journalDirectory(),
  report: (problem: string) => void = () => undefined,
): Journal[] {
  const told = (path: string, problem: string) =>
    report(`CS_JOURNAL: not everything in ${path} is acted on: ${problem}`);
  return journalsHere(directory, told).filter(isLeft);
}

function isLeft(journal: Journal): boolean {
  return !journal.isOwned && !stands(journal);
}

/** The journal as it is now: another program may have undone it since, and begun one of the same name. */
function latestOf({ path }: Journal): Journal | null {
  const latest = path === null ? null : Journal.read(path);
  return latest && isLeft(latest) ? latest : null;
}

/**
 * Undoes what earlier programs left behind, for example after a SIGKILL. What cannot be undone is reported and left;
 * returns the number of programs with something left.
 */
export async function reap(
  privilege: Privilege,
  say: (line: string) => void,
  directory: string = journalDirectory(),
): Promise<number> {
  let failures = 0;
  for (const path of journalsWithoutOwner(directory)) {
    say(`Removing ${path}: a journal without an owner, and nothing to undo`);
    rmSync(path, { force: true });
  }
  const left = leftBehind(directory, (problem) => {
    failures++;
    say(problem);
  });
  for (const listed of left) {
    const journal = latestOf(listed);
    if (journal === null) continue;
    const { owner, startedAt } = journal.head;
    if (journal.entries.length > 0)
      say(`Cleaning up what process ${owner.pid} left behind (started ${startedAt})`);
    // Two programs that start at once must not both undo it.
    journal.claim();
    try {
      await undo(journal, privilege);
      journal.end();
    } catch (error) {
      failures++;
      say(String(error));
    }
  }
  return failures;
}
