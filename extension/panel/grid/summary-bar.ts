import { evidenceDepths } from '@cachescope/model/attribution/evidence.ts';
import { type KnownSum, type LoadSummary, summarizeLoad } from '@cachescope/model/load/summary.ts';
import { byteSize, count, milliseconds, unitOf, unknownText } from '@cachescope/model/quantity.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { PanelState, ShownLoad } from '../panel-state.ts';
import { visibleRows } from './visible-rows.ts';
import { oncePer } from '../once-per.ts';

/** The last row of the panel: totals of the rows that match the filter and of all rows, in the terms of DevTools. */
export function summaryBar(state: PanelState): TemplateResult {
  const shown = content(state);
  // In a low panel the bar scrolls sideways, also by keyboard.
  return html`<div class="summary-bar" role="status" aria-label="Summary" tabindex="0">
    ${shown}
  </div>`;
}

function content(state: PanelState): TemplateResult | string {
  if (state.problems.length > 0) return 'No run open';
  if (state.view === 'runs') return state.run ? state.message : 'No run open';
  if (state.view === 'compare') return state.message;
  if (!state.shown) return state.message || 'No load shown';
  return loadFigures(state, state.shown);
}

function loadFigures(state: PanelState, shown: ShownLoad): TemplateResult {
  const whole = summaryOf(shown.rows);
  const { rows } = visibleRows(state);
  const part = rows.length === whole.requests ? whole : summaryOf(rows);
  const { domContentLoadedMs, loadMs } = shown.load;
  const figures = [
    ratio(count(part.requests), count(whole.requests), unitOf(whole.requests, 'request')),
    ratio(sizeOf(part.transferred), sizeOf(whole.transferred), 'transferred'),
    ratio(sizeOf(part.decoded), sizeOf(whole.decoded), 'resources'),
    ratio(count(part.fromCache), count(whole.fromCache), 'from cache'),
    ratio(count(part.unknownSource), count(whole.unknownSource), 'unknown'),
    ...unseen(whole),
    `Finish: ${milliseconds(whole.finishMs)}`,
  ];
  return html`${figures.map((figure) => html`<span>${figure}</span> `)}
    <span class="dom-content-loaded">DOMContentLoaded: ${milliseconds(domContentLoadedMs)}</span>
    <span class="load">Load: ${milliseconds(loadMs)}</span>
    ${state.message ? html`<span class="message">${state.message}</span>` : nothing}`;
}

const witnessNames = {
  page: 'the page',
  webRequest: 'webRequest',
  devtools: 'DevTools',
  debugger: 'the debugger',
} as const;

/** The number of requests seen by other witnesses only, for each witness. */
function unseen({ unseenBy }: LoadSummary): string[] {
  return evidenceDepths
    .filter((depth) => unseenBy[depth] > 0)
    .map((depth) => `${count(unseenBy[depth])} not seen by ${witnessNames[depth]}`);
}

function ratio(part: string, whole: string, unit: string): string {
  return part === whole ? `${whole} ${unit}` : `${part} / ${whole} ${unit}`;
}

/** A sum with unknown parts is a lower bound and is shown as one. */
function sizeOf({ bytes, unknown }: KnownSum): string {
  if (bytes === null) return unknownText;
  return `${unknown > 0 ? '≥ ' : ''}${byteSize(bytes)}`;
}

/** Cached because scrolling draws the bar again. */
const summaryOf = oncePer(summarizeLoad);
