import { isRunOf, measured, type RunDocument } from '@cachescope/model/run/run.ts';
import { type Change, openLoads, openRun } from '../panel-state.ts';

/** Shows what is wrong with what was to be opened. */
export function refused(problems: readonly string[]): Change {
  return (state) => ({ ...state, problems, message: '' });
}

/** Shows a run. An exploration's loads stand in the list of loads too. */
export function shownRun(document: RunDocument, name: string): Change {
  const open = openRun(document, name, `${name}: ${measured(document)}`);
  if (!isRunOf('explore', document)) return open;
  return (state) => open(openLoads(document.loads, '')(state));
}
