import { openFiles } from './open-files.ts';
import { refused, shownRun } from './opened-run.ts';
import { openLoads, type Update } from '../panel-state.ts';

/** Opens chosen or dropped files: a run, loads or a HAR. Errors are shown in the view. */
export async function openChosen(files: readonly File[], update: Update): Promise<void> {
  if (files.length === 0) return;
  const name = files.map((file) => file.name).join(', ');
  update((state) => ({ ...state, message: `Opening ${name}…` }));
  const opened = await openFiles(files);
  if ('problems' in opened) return update(refused(opened.problems));
  const { value } = opened;
  update('run' in value ? shownRun(value.run, name) : openLoads(value.loads, `Opened ${name}`));
}
