import { isRunOf, measured, type RunDocument } from '@cachescope/model/run.ts';
import { embeddedRun, openFiles } from './open-files.ts';
import { type Change, openLoads, openRun, type Update } from './panel-state.ts';

/** Opens chosen or dropped files: a run, loads or a HAR. What is wrong with them stands in the view. */
export async function openChosen(files: readonly File[], update: Update): Promise<void> {
  if (files.length === 0) return;
  const name = files.map((file) => file.name).join(', ');
  update((state) => ({ ...state, message: `Opening ${name}…` }));
  const opened = await openFiles(files);
  if ('problems' in opened) return update(refused(opened.problems));
  const { value } = opened;
  update('run' in value ? shownRun(value.run, name) : openLoads(value.loads, `Opened ${name}`));
}

/** Opens what the page itself carries, as report.html does. */
export function openEmbedded(update: Update): void {
  const embedded = embeddedRun();
  if (!embedded) return;
  update(
    'problems' in embedded ? refused(embedded.problems) : shownRun(embedded.value, 'This report'),
  );
}

function refused(problems: readonly string[]): Change {
  return (state) => ({ ...state, problems, message: '' });
}

/** An exploration's loads stand in the list of loads too. */
function shownRun(document: RunDocument, name: string): Change {
  const open = openRun(document, name, `${name}: ${measured(document)}`);
  if (!isRunOf('explore', document)) return open;
  return (state) => open(openLoads(document.loads, '')(state));
}
