import { conditionsOf } from '@cachescope/model/page/conditions.ts';
import type { Term } from '@cachescope/model/page/page.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
import { counted } from '@cachescope/model/quantity.ts';
import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { type Figure, figureView } from '../charts/figure.ts';
import { runFacts, trustDetails } from './facts.ts';
import { proofTable } from './proofs-by-delay.ts';

/** What the head of a run's view says. */
export interface Head {
  /** The answer. */
  headline: string;
  /** What the run is about. */
  title: string;
  facts: readonly string[];
}

/** The answer of a run with its grade, and below them what it is, its start, and its status. */
export function runHeader({ headline, title, facts }: Head, run: RunBase, trust: Trust) {
  return html`<header>
    <h1 class="answer">${headline}</h1>
    ${trustDetails(trust)} ${runFacts(run, trust, [title, ...facts])}
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

/** The finding of a run in full, folded: the headline has the answer. */
export function findingSection(finding: readonly string[]): TemplateResult | typeof nothing {
  if (finding.length === 0) return nothing;
  return html`<details class="finding">
    <summary><h2>Finding</h2></summary>
    ${sentenceList(finding)}
  </details>`;
}

/** Warnings without duplicates, folded behind their number; nothing if there are none. */
export function warningSection(warnings: readonly string[]): TemplateResult | typeof nothing {
  const sentences = foldedWarnings(warnings);
  if (sentences.length === 0) return nothing;
  return html`<details class="warnings">
    <summary><h2>${counted(sentences.length, 'warning')}</h2></summary>
    ${sentenceList(sentences)}
  </details>`;
}

/** Charts in view besides the one that shows the answer: one row. The others are folded. */
const chartsInView = 2;

/** The chart that shows the answer, finding and warnings below it, and the other charts. A change in `key` draws them again. */
export function conclusion(
  finding: readonly string[],
  warnings: readonly string[],
  [first, ...others]: readonly Figure[],
  key: readonly unknown[],
): TemplateResult {
  const drawn = (figures: readonly Figure[]) =>
    html`<div class="figures">${figures.map((figure) => figureView(figure, key))}</div>`;
  const [inView, folded] = [others.slice(0, chartsInView), others.slice(chartsInView)];
  return html`<div class="conclusion">
    ${first ? html`<div class="figures lead">${figureView(first, key)}</div>` : nothing}
    ${findingSection(finding)} ${warningSection(warnings)}
    ${
      inView.length > 0
        ? html`<section>
            <h2>Charts</h2>
            ${drawn(inView)}
          </section>`
        : nothing
    }
    ${
      folded.length > 0
        ? html`<details>
            <summary><h2>${counted(folded.length, 'more chart')}</h2></summary>
            ${drawn(folded)}
          </details>`
        : nothing
    }
  </div>`;
}

/** The conditions of a run: the experiment's own terms, machine, browser, command, and the delay proofs. */
export function conditions(run: RunBase, own: readonly Term[]): TemplateResult {
  return html`<details>
    <summary><h2>How it was measured</h2></summary>
    ${termList([...own, ...conditionsOf(run)])}
    ${run.proofs.length > 0 ? proofTable(run.proofs) : nothing}
  </details>`;
}
