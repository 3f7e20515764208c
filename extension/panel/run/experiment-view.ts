import type { DeclaredExperiment } from '@cachescope/model/page/declared.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';
import type { TemplateResult } from 'lit';
import { viewOf } from '../page/view.ts';
import type { ViewTools } from './view-tools.ts';

type View = (document: RunDocument, tools: ViewTools) => TemplateResult;

/** Declared experiments: the file declaration.ts of a folder exports one under the folder's name. */
const declared = Object.entries(
  import.meta.glob<Record<string, DeclaredExperiment<RunDocument>>>(
    '../../model/*/declaration.ts',
    { eager: true },
  ),
).flatMap(([path, module]) => {
  const name = path.split('/').at(-2) ?? '';
  const experiment = module[name];
  return experiment ? [[name, viewOf(experiment)] as const] : [];
});

/** The views that experiments draw themselves: the directory of each has a view.ts that exports `view`. */
const drawn = Object.entries(
  import.meta.glob<View>('../experiments/*/view.ts', { eager: true, import: 'view' }),
).map(([path, view]) => [path.split('/').at(-2), view] as const);

const views = new Map<string | undefined, View>([...declared, ...drawn]);

/** The view of a run of any experiment. */
export function experimentView(document: RunDocument, tools: ViewTools): TemplateResult {
  const { experiment } = document.run;
  const view = views.get(experiment);
  if (!view) throw new Error(`${experiment} has no view`);
  return view(document, tools);
}
