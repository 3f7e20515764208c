import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import type { Resource } from '@cachescope/model/load/load.ts';
import { milliseconds } from '@cachescope/model/quantity.ts';
import { nothing, type TemplateResult } from 'lit';
import { html } from '../marked-html.ts';
import type { ShownLoad, TimeSpan } from '../panel-state.ts';
import { durationTooltip } from './resource-text.ts';

/** The time range of all resources and events of a load. Never empty, because it is a divisor. */
export function waterfallSpan({ load, rows }: ShownLoad): TimeSpan {
  let fromMs = 0;
  let toMs = Math.max(1, load.loadMs ?? 0, load.domContentLoadedMs ?? 0);
  for (const { resource } of rows) {
    fromMs = Math.min(fromMs, resource.startMs);
    toMs = Math.max(toMs, resource.startMs + (resource.durationMs ?? 0));
  }
  return { fromMs, toMs };
}

function shareOf(ms: number, { fromMs, toMs }: TimeSpan): string {
  return `${(100 * (ms - fromMs)) / (toMs - fromMs)}%`;
}

/** First byte and end of a resource's bar, ms since the start of the load; null when its end is unknown. */
export function waterfallBar(
  { startMs, durationMs, responseStartMs, isRunning }: Resource,
  { toMs }: TimeSpan,
) {
  if (durationMs === null && !isRunning) return null;
  const endMs = startMs + (durationMs ?? Math.max(0, toMs - startMs));
  const firstByteMs = Math.min(endMs, Math.max(startMs, responseStartMs ?? startMs));
  return { firstByteMs, endMs };
}

/**
 * The bar of one row: the wait for the first byte light, the download dark, as in DevTools. Drawn as the cell's
 * background. No bar when the end is unknown.
 */
export function waterfallCell(
  row: AttributedResource,
  span: TimeSpan,
  place: number,
): TemplateResult {
  const { startMs, isRunning } = row.resource;
  const bar = waterfallBar(row.resource, span);
  const share = (ms: number): string => shareOf(ms, span);
  const title = bar
    ? `${milliseconds(startMs)} to ${isRunning ? 'not finished' : milliseconds(bar.endMs)}`
    : durationTooltip(row);
  const style = bar
    ? `--start: ${share(startMs)}; --first-byte: ${share(bar.firstByteMs)}; --end: ${share(bar.endMs)}`
    : '';
  return html`<div
    role="gridcell"
    class="cell waterfall ${isRunning ? 'running' : ''} ${row.attribution.source}"
    aria-colindex=${place + 1}
    title=${title}
    .style=${style}
  ></div>`;
}

/** Lines at DOMContentLoaded and Load, across all rows. */
export function waterfallMarks({ load }: ShownLoad, span: TimeSpan): TemplateResult {
  const mark = (ms: number | null, name: string) =>
    ms === null
      ? nothing
      : html`<span class="mark-line ${name}" .style=${`left: ${shareOf(ms, span)}`}></span>`;
  return html`<span
    >${mark(load.domContentLoadedMs, 'dom-content-loaded')}${mark(load.loadMs, 'load')}</span
  >`;
}
