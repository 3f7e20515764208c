import { traceEventsOf } from '@cachescope/model/explain/trace-events.ts';
import { beginsOf, traceFileText } from '@cachescope/model/explain/trace-file.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { download } from '../../download.ts';

/**
 * The traced reads as a file for Perfetto and DevTools. It lacks Chromium's own events, which are only in the run's
 * directory.
 */
export function sweepTrace({ run, traced = [] }: SweepRunDocument): string {
  const { beginsUs } = beginsOf(traced);
  const events = traced.flatMap((read, index) => traceEventsOf(read, index, beginsUs[index] ?? 0));
  return traceFileText(events, run);
}

/** A button that saves the traced reads of a run as a trace; nothing for a run without any. */
export function traceButton(document: SweepRunDocument): TemplateResult | typeof nothing {
  const { run, traced = [] } = document;
  if (traced.length === 0) return nothing;
  const name = `trace-${run.startedAt.slice(0, 19).replaceAll(':', '')}.json`;
  return html`<p>
    <button
      id="save-trace"
      class="text-button"
      @click=${() => download(name, sweepTrace(document), 'application/json')}
    >
      Save the trace
    </button>
    Opens at ui.perfetto.dev and in DevTools' Performance panel.
    <code>npm run report -- DIR --perfetto FILE</code> adds Chromium's own events.
    ${beginsOf(traced).limits.join(' ')}
  </p>`;
}
