import { html, nothing, type TemplateResult } from 'lit';

/** Maximum number of problems that are listed; the rest is counted. */
const mostProblems = 20;

/** The problems of the chosen files. */
export function problemsView(problems: readonly string[]): TemplateResult {
  const left = problems.length - mostProblems;
  return html`<div class="problems" role="alert">
    <h1>These files cannot be shown</h1>
    <ul>
      ${problems.slice(0, mostProblems).map((problem) => html`<li>${problem}</li>`)}
      ${left > 0 ? html`<li>and ${left} more</li>` : nothing}
    </ul>
    <p>Choose other files, or drop them here.</p>
  </div>`;
}
