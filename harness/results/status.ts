import { printable } from '@cachescope/model/printable.ts';
import { counted } from '@cachescope/model/quantity.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';

/** Why a run is not complete, in a sentence; null when it is. */
export function unfinishedText(run: RunBase): string | null {
  if (run.status === 'complete') return null;
  if (run.status === 'running')
    return 'The run did not finish: its program was killed, or it still runs.';
  return `The run is ${run.status}: ${run.statusReason ?? 'no reason is known'}.`;
}

/** The last line of a screen: the number of warnings, and where the report is. */
export function closingLine(warnings: readonly string[], report: string | null): string {
  const found = warnings.length === 0 ? 'no warnings' : counted(warnings.length, 'warning');
  return report === null ? found : `${found} · ${printable(report)}`;
}
