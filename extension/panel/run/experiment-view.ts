import type { DocumentOf, Experiment, RunDocument } from '@cachescope/model/run/run.ts';
import type { TemplateResult } from 'lit';
import type { Commands } from '../commands.ts';
import { comparisonView } from '../experiments/compare/view.ts';
import { exploreView } from '../experiments/explore/view.ts';
import { fillView } from '../experiments/fill/view.ts';
import { microView } from '../experiments/micro/view.ts';
import { pageloadView } from '../experiments/pageload/view.ts';
import { reclaimView } from '../experiments/reclaim/view.ts';
import { runView } from '../experiments/sweep/view.ts';
import { transferView } from '../experiments/transfer/view.ts';

/** What a view of a run may use of the panel around it. */
export interface ViewTools {
  commands: Commands;
  isDark: boolean;
}

type View<Name extends Experiment> = (
  document: DocumentOf<Name>,
  tools: ViewTools,
) => TemplateResult;

/** How each experiment's run is shown: one view in each room of `experiments`, one line each here. */
const views: { [Name in Experiment]: View<Name> } = {
  sweep: (document, { isDark }) => runView(document, isDark),
  transfer: (document, { isDark }) => transferView(document, isDark),
  comparison: (document, { isDark }) => comparisonView(document, isDark),
  explore: (document, { commands }) => exploreView(document, commands),
  fill: (document, { isDark }) => fillView(document, isDark),
  micro: (document, { isDark }) => microView(document, isDark),
  pageload: (document, { isDark }) => pageloadView(document, isDark),
  reclaim: (document, { isDark }) => reclaimView(document, isDark),
};

/** The view of a run of any experiment. */
export function experimentView(document: RunDocument, tools: ViewTools): TemplateResult {
  const view = views[document.run.experiment] as View<Experiment>;
  return view(document, tools);
}
