import { conditionsOf } from '@cachescope/model/page/conditions.ts';
import type { Term } from '@cachescope/model/page/page.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { type Figure, figureView } from '../charts/figure.ts';
import { runFacts, trustDetails } from './facts.ts';
import { proofTable } from './proofs-by-delay.ts';

type Content = TemplateResult | readonly TemplateResult[] | typeof nothing;

/** The title of a run's view with its facts, start, status and trust. */
export function runHeader(
  title: string,
  run: RunBase,
  trust: Trust,
  facts: readonly string[],
): TemplateResult {
  return html`<header>
    <h1>${title}</h1>
    ${runFacts(run, facts)} ${trustDetails(trust)}
  </header>`;
}

/** A list of sentences. */
export function sentenceList(sentences: readonly string[]): TemplateResult {
  return html`<ul>
    ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
  </ul>`;
}

/** A list of terms and values. */
export function termList(terms: readonly Term[]): TemplateResult {
  return html`<dl>
    ${terms.map(
      ([term, value]) =>
        html`<dt>${term}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** The finding of a run: the first sentence is the answer, the others are its reasons. `details` are folded. */
export function findingSection(
  [answer = '', ...reasons]: readonly string[],
  heading = 'Finding',
  details: readonly string[] = [],
): TemplateResult {
  return html`<section>
    <h2>${heading}</h2>
    <p class="answer">${answer}</p>
    ${sentenceList(reasons)} ${details.length > 0 ? folded(details) : nothing}
  </section>`;
}

function folded(sentences: readonly string[]): TemplateResult {
  return html`<details>
    <summary>More</summary>
    ${sentenceList(sentences)}
  </details>`;
}

/** Warnings without duplicates, and the content below them; nothing if both are empty. */
export function warningSection(
  warnings: readonly string[],
  below: Content = nothing,
): TemplateResult | typeof nothing {
  if (warnings.length === 0 && below === nothing) return nothing;
  return html`<section class="warnings">
    <h2>Warnings</h2>
    ${sentenceList(foldedWarnings(warnings))} ${below}
  </section>`;
}

/** Finding and warnings, side by side where there is room. */
export function conclusion(
  finding: readonly string[],
  warnings: readonly string[],
  below: Content = nothing,
): TemplateResult {
  return html`<div class="conclusion">
    ${findingSection(finding)} ${warningSection(warnings, below)}
  </div>`;
}

/** The charts of a run. A change in `key` draws them again. */
export function chartSection(
  figures: readonly Figure[],
  key: readonly unknown[],
  heading = 'Charts',
): TemplateResult {
  return html`<section>
    <h2>${heading}</h2>
    <div class="figures">${figures.map((figure) => figureView(figure, key))}</div>
  </section>`;
}

/** The conditions of a run: the experiment's own terms, machine, browser, command, and the delay proofs. */
export function conditions(run: RunBase, own: readonly Term[]): TemplateResult {
  return html`<details>
    <summary><h2>How it was measured</h2></summary>
    ${termList([...own, ...conditionsOf(run)])}
    ${run.proofs.length > 0 ? proofTable(run.proofs) : nothing}
  </details>`;
}
