import type { RunBase } from '@cachescope/model/run/base.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
import { html, type TemplateResult } from 'lit';

/** The line below the answer: facts, start and status. That a run is complete is no praise for a poor one. */
export function runFacts(run: RunBase, trust: Trust, facts: readonly string[]): TemplateResult {
  const { status, statusReason, startedAt } = run;
  const all = [...facts, utc(startedAt)].map((fact) => html`<span>${fact}</span>`);
  if (status === 'complete' && trust.grade === 'poor') return html`<p class="facts">${all}</p>`;
  return html`<p class="facts">
    ${all}<span class="status ${status}">${statusText(status, statusReason)}</span>
  </p>`;
}

/** How far to trust a run, and why. */
export function trustDetails({ grade, reasons }: Trust): TemplateResult {
  const sign = grade === 'poor' ? '⚠ ' : '';
  const named = grade === 'fair' ? ['fair', 'unknown'] : [grade];
  const [why] = grade === 'good' ? [] : reasons.filter((reason) => named.includes(reason.grade));
  return html`<details class="trust ${grade}">
    <summary>${sign}Trust: ${grade}${why ? ` (${why.text})` : ''}</summary>
    <ul>
      ${reasons.map((reason) => html`<li>${reason.grade}: ${reason.text}</li>`)}
    </ul>
  </details>`;
}

function statusText(status: RunBase['status'], reason: string | undefined): string {
  const sign = status === 'complete' ? '✓' : '⚠';
  return reason ? `${sign} ${status}: ${reason}` : `${sign} ${status}`;
}

function utc(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}
