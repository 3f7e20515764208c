import { printable } from '@cachescope/model/printable.ts';
import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import { commandText } from '../privilege.ts';

/** Why a run is not complete, in a sentence; null when it is. */
export function unfinishedText(run: RunBase): string | null {
  if (run.status === 'complete') return null;
  if (run.status === 'running')
    return 'The run did not finish: its program was killed, or it still runs.';
  return `The run is ${run.status}: ${run.statusReason ?? 'no reason is known'}.`;
}

/** The last lines on stderr for any run: its warnings, whether it is complete, its path. */
export function closingLines(run: RunBase, directory: string, html: string): string[] {
  const unfinished = unfinishedText(run);
  return [
    ...foldedWarnings(run.warnings).map((warning) => `Warning: ${warning}`),
    ...(unfinished === null ? [] : [unfinished]),
    `Report: ${printable(html)}`,
    `Write these files again: npm run report -- ${commandText([directory])}`,
  ];
}
