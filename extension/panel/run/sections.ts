import { byteSize, digits } from '@cachescope/model/quantity.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { type Figure, figureView } from '../charts/figure.ts';
import { runFacts, trustDetails } from './facts.ts';
import { proofTable } from './proofs-by-delay.ts';

/** A term of a description list and its value. */
export type Term = readonly [term: string, value: string];

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
    ${termList([...own, ...commonTerms(run)])}
    ${run.proofs.length > 0 ? proofTable(run.proofs) : nothing}
  </details>`;
}

function commonTerms({ environment, commandLine, tool, timeSpent, merged }: RunBase): Term[] {
  const { chromium, timerStepMs, cpu, cores, memoryBytes, os, kernel, node } = environment;
  const step =
    timerStepMs === null ? 'step not measured' : `steps of ${digits(timerStepMs * 1000)} µs`;
  const timeName = merged ? 'Machine time' : 'Time';
  return [
    ['Storage', environment.storage],
    ['Page clock', step],
    ['Machine', `${cpu}, ${cores} cores, ${byteSize(memoryBytes)}`],
    ['System', `${os}, kernel ${kernel}, Node ${node}`],
    ['Chromium', [chromium.version, chromium.path].join(', ')],
    ['Flags', chromium.flags.join(' ') || 'none'],
    ['Command', `cachescope ${commandLine.join(' ')}`],
    ['Written by', `${tool.name} ${tool.version}`],
    ...(timeSpent && timeSpent.totalMs > 0
      ? [[timeName, timeText(timeSpent.measuringMs, timeSpent.totalMs)] as const]
      : []),
  ];
}

function timeText(measuringMs: number, totalMs: number): string {
  const share = Math.round((100 * measuringMs) / totalMs);
  return `${digits(totalMs / 1000)} s, ${share} % of it inside timed measurements`;
}
