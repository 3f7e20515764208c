import type { RunBase } from '@cachescope/model/run/base.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
import { html, type TemplateResult } from 'lit';

/** The line below a run's title: its facts, start and status. */
export function runFacts(run: RunBase, facts: readonly string[]): TemplateResult {
  const { status, statusReason, startedAt } = run;
  return html`<p class="facts">
    ${[...facts, utc(startedAt)].map((fact) => html`<span>${fact}</span>`)}<span
      class="status ${status}"
      >${statusText(status, statusReason)}</span
    >
  </p>`;
}

/** How far to trust a run, and why. */
export function trustDetails({ grade, reasons }: Trust): TemplateResult {
  const sign = grade === 'poor' ? '⚠ ' : '';
  return html`<details class="trust ${grade}">
    <summary>${sign}Trust: ${grade}</summary>
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
