import { numbered } from '@cachescope/model/load/load.ts';
import { isRunOf, measured, type RunDocument } from '@cachescope/model/run/run.ts';
import { type Change, openLoads, openRun } from '../panel-state.ts';

/** Shows the problems of files that could not be opened. */
export function refused(problems: readonly string[]): Change {
  return (state) => ({ ...state, problems, message: '' });
}

/** Shows a run. The loads of an exploration are added to the list of loads. */
export function shownRun(document: RunDocument, name: string): Change {
  const open = openRun(document, name, `${name}: ${measured(document)}`);
  if (!isRunOf('explore', document)) return open;
  const loads = document.loads.map((load) => ({ ...load, resources: numbered(load.resources) }));
  return (state) => open(openLoads(loads, '')(state));
}
