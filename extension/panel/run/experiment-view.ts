import type { RunDocument } from '@cachescope/model/run/run.ts';
import type { TemplateResult } from 'lit';
import type { ViewTools } from './view-tools.ts';

/** The directory of each experiment has a view.ts that exports `view`. */
const views = import.meta.glob<(document: RunDocument, tools: ViewTools) => TemplateResult>(
  '../experiments/*/view.ts',
  { eager: true, import: 'view' },
);

/** The view of a run of any experiment. */
export function experimentView(document: RunDocument, tools: ViewTools): TemplateResult {
  const path = `../experiments/${document.run.experiment}/view.ts`;
  const view = views[path];
  if (!view) throw new Error(`${path} is missing`);
  return view(document, tools);
}
