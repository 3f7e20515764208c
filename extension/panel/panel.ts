import { bodyCost } from './drawer/body-cost.ts';
import { askLab, findStoredSizes, followLab } from './lab/connection.ts';
import { loadConnection } from './loads/connection.ts';
import { openChosen } from './loads/opened-files.ts';
import { showPanel } from './panel-page.ts';
import { experimentView } from './run/experiment-view.ts';

const update = showPanel({
  connection: loadConnection(),
  viewRun: experimentView,
  openFiles: openChosen,
  measureCost: bodyCost,
  lab: { ask: askLab, findStoredSizes },
});
followLab(update);
// Tells tests and screenshot tools that the page is drawn.
document.body.dataset['ready'] = '';
