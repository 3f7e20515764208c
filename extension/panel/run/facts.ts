import type { RunBase } from '@cachescope/model/run/base.ts';
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

function statusText(status: RunBase['status'], reason: string | undefined): string {
  const sign = status === 'complete' ? '✓' : '⚠';
  return reason ? `${sign} ${status}: ${reason}` : `${sign} ${status}`;
}

function utc(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}
