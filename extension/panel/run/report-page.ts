import type { SavedExperiment } from '@cachescope/model/run/experiment.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';
import { html, nothing, render, type TemplateResult } from 'lit';
import { followTheme } from '../theme.ts';
import { embeddedRun } from './embedded-run.ts';
import { problemsView } from './problems-view.ts';
import { runTitle } from './title.ts';
import type { Theme } from './view-tools.ts';
import '../page.css';

/** Shows a run, with a message in the last line of the page. */
export type ShowRun<Document> = (document: Document | undefined, message: string) => void;

/**
 * Turns the page into a report of one experiment: shows the embedded run, and returns a function that shows another.
 */
export function showReport<Document extends RunDocument>(
  saved: SavedExperiment<Document>,
  view: (document: Document, theme: Theme) => TemplateResult,
): ShowRun<Document> {
  const embedded = embeddedRun(saved) ?? { problems: ['This report contains no run.'] };
  const problems = 'problems' in embedded ? embedded.problems : [];
  let shown = 'value' in embedded ? embedded.value : undefined;
  let message = shown ? `This report: ${saved.measured(shown)}` : '';
  let isDark = false;

  const draw = (): void => {
    if (shown) document.title = runTitle(shown.run);
    const main = shown ? view(shown, { isDark }) : problemsView(problems);
    render(
      html`<main class="runs">${main}</main>
        <div class="summary-bar" role="status">${message || nothing}</div>`,
      document.body,
    );
  };
  followTheme((dark) => {
    isDark = dark;
    draw();
  });
  // Tells screenshot tools that the charts are drawn.
  document.body.dataset['ready'] = '';
  return (run, sentence) => {
    shown = run ?? shown;
    message = sentence;
    draw();
  };
}
