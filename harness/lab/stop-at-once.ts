import type { RunDirectory } from '../results/run-directory.ts';
import { Journal } from '../storage/journal/journal.ts';
import { undoLines } from '../storage/journal/undo.ts';

/**
 * For a program that exits in the middle of a run: marks the run, and reports what is left behind and how to remove it.
 */
export function stopAtOnce(directory: RunDirectory, say: (line: string) => void): void {
  directory.markStopped('stopped immediately');
  say(`Stopped. The samples so far: npm run report -- ${directory.path}`);
  const own = Journal.all().filter(({ head }) => head.owner.pid === process.pid);
  const left = undoLines(own);
  if (left.length > 0) say(`Left on the machine (npm run clean removes it):\n${left.join('\n')}`);
}
