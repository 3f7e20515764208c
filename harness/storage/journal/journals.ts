import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../error.ts';
import { isHere } from './journal-machine.ts';
import { Journal } from './journal.ts';
import { distrustOf, journalDirectory } from './state-directory.ts';

/** Told of a file, and what is wrong with it. */
type Report = (path: string, problem: string) => void;

/**
 * Every journal of this user and machine, oldest first, except one that another user may have written. `report` is
 * called for each file that is not trusted, or not fully parsed.
 */
export function journalsHere(
  directory: string = journalDirectory(),
  report: Report = () => undefined,
): Journal[] {
  return everywhere(directory, report).filter(({ head }) => isHere(head.machine));
}

/** The processes that serve this program's disks. nbdkit moves to the background, so it is no descendant. */
export function ownServers(): number[] {
  return journalsHere()
    .filter(({ head }) => head.owner.pid === process.pid)
    .flatMap(({ entries }) => entries)
    .flatMap(({ made }) => (made.kind === 'fuse' ? (made.servers ?? []) : []))
    .map(({ pid }) => pid);
}

/**
 * Journals of this user that name no owner and nothing to undo, such as an empty file after a power cut: nobody uses
 * them, and that of standing storage would block the next one.
 */
export function journalsWithoutOwner(directory: string = journalDirectory()): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => join(directory, name))
    .filter((path) => distrustOf(path) === null && isBlank(path));
}

/** Journals of other machines that share this directory, and of other containers on this one. */
export function journalsElsewhere(directory: string = journalDirectory()): Journal[] {
  return everywhere(directory, () => undefined).filter(({ head }) => !isHere(head.machine));
}

function everywhere(directory: string, report: Report): Journal[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => name.endsWith('.ndjson'));
  return names.toSorted().flatMap((name) => {
    const path = join(directory, name);
    try {
      const distrust = distrustOf(path);
      if (distrust !== null) throw new Error(distrust);
      const journal = Journal.read(path);
      if (journal && journal.odd.length > 0) report(path, journal.odd.join('; '));
      return journal ?? [];
    } catch (error) {
      if (existsSync(path)) report(path, messageOf(error));
      return [];
    }
  });
}

function isBlank(path: string): boolean {
  try {
    return existsSync(path) && Journal.read(path) === null;
  } catch {
    return false;
  }
}
