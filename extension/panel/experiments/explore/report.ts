import { savedExplore } from '@cachescope/model/explore/run.ts';
import { isRunOf } from '@cachescope/model/run/run.ts';
import { html } from 'lit';
import { view } from './view.ts';
import { refused, shownRun } from '../../loads/opened-run.ts';
import { showPanel } from '../../panel-page.ts';
import { embeddedRun } from '../../run/embedded-run.ts';

const update = showPanel({
  connection: null,
  viewRun: (document, tools) => (isRunOf('explore', document) ? view(document, tools) : html``),
});
const run = embeddedRun(savedExplore);
if (run) update('problems' in run ? refused(run.problems) : shownRun(run.value, 'This report'));
// Tells screenshot tools that the page is drawn.
document.body.dataset['ready'] = '';
