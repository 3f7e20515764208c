import type { AttributedResource } from '@cachescope/model/attributed-resource.ts';
import { milliseconds } from '@cachescope/model/quantity.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { ShownLoad } from './panel-state.ts';

/** The span of time that the waterfall covers, ms since the load began. Never 0, so that it can divide. */
export function waterfallSpan({ load, rows }: ShownLoad): number {
  const ends = rows.map(({ resource }) => resource.startMs + (resource.durationMs ?? 0));
  return Math.max(1, load.loadMs ?? 0, load.domContentLoadedMs ?? 0, ...maxima(ends));
}

/** Math.max takes no hundred thousand arguments. */
function maxima(values: readonly number[]): number[] {
  return [values.reduce((largest, value) => Math.max(largest, value), 0)];
}

/** One row's bar: the wait for the first byte light, the download dark, as in DevTools. */
export function waterfallBar(
  { resource, attribution }: AttributedResource,
  spanMs: number,
): TemplateResult {
  const { startMs, durationMs, responseStartMs } = resource;
  const share = (ms: number): string => `${(100 * ms) / spanMs}%`;
  const total = durationMs ?? Math.max(0, spanMs - startMs);
  const waited = Math.min(total, Math.max(0, (responseStartMs ?? startMs) - startMs));
  const title = `${milliseconds(startMs)} to ${durationMs === null ? 'not finished' : milliseconds(startMs + durationMs)}`;
  const waitedShare = total === 0 ? 0 : (100 * waited) / total;
  return html`<span
    class="bar ${durationMs === null ? 'running' : ''} ${attribution.source}"
    .style=${`left: ${share(startMs)}; width: max(2px, ${share(total)}); --waited: ${waitedShare}%`}
    title=${title}
  ></span>`;
}

/** Lines at DOMContentLoaded and Load, over all rows. */
export function waterfallMarks({ load }: ShownLoad, spanMs: number): TemplateResult {
  const mark = (ms: number | null, name: string) =>
    ms === null
      ? nothing
      : html`<span class="mark-line ${name}" .style=${`left: ${(100 * ms) / spanMs}%`}></span>`;
  return html`<span
    >${mark(load.domContentLoadedMs, 'dom-content-loaded')}${mark(load.loadMs, 'load')}</span
  >`;
}
