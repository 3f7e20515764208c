import type { LoadHead } from '@cachescope/model/load/load.ts';
import { count, counted } from '@cachescope/model/quantity.ts';
import { nothing, type TemplateResult } from 'lit';
import { html } from '../marked-html.ts';
import { guard } from 'lit/directives/guard.js';
import type { Commands } from '../commands.ts';
import { iconButton } from '../buttons.ts';
import { allHeads, type PanelState } from '../panel-state.ts';

/** Maximum number of loads in the list; older ones appear when newer ones are deleted. */
const mostLoads = 200;

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short' });

/** The list that chooses the displayed load. */
export function loadList(state: PanelState, commands: Commands): unknown {
  const { heads, opened, shown, before, after } = state;
  // Scrolling draws the panel again, and formatting dates is slow.
  return guard([heads, opened, shown, before, after], () => list(state, commands));
}

function list(state: PanelState, commands: Commands): TemplateResult {
  const heads = allHeads(state);
  const shownId = state.shown?.load.id ?? '';
  const isListed = heads.some(({ id }) => id === shownId);
  return html`<span class="load-list"
    ><select
      aria-label="Load on display"
      title="Load on display"
      ?disabled=${heads.length === 0}
      @change=${(event: Event) => commands.showLoad((event.currentTarget as HTMLSelectElement).value)}
    >
      ${
        isListed
          ? nothing
          : html`<option value="" selected>
              ${heads.length === 0 ? 'No loads yet' : `Choose of ${counted(heads.length, 'load')}…`}
            </option>`
      }
      ${heads
        .slice(0, mostLoads)
        .map(
          (head) =>
            html`<option value=${head.id} .selected=${head.id === shownId}>
              ${headText(head, state)}
            </option>`,
        )}</select
    >${iconButton('bin', 'Delete this load', () => commands.forgetLoad(shownId), !isListed)}</span
  >`;
}

function headText(head: LoadHead, { before, after }: PanelState): string {
  const pin = head.id === before?.load.id ? 'A · ' : head.id === after?.load.id ? 'B · ' : '';
  return `${pin}${loadTitle(head)} · ${count(head.resourceCount)}`;
}

/** Time and URL: `12:03:22 shop.example/basket`; with the date if it is not today. */
export function loadTitle({ url, startedAt }: Pick<LoadHead, 'url' | 'startedAt'>): string {
  const at = new Date(startedAt);
  const place = url.replace(/^[a-z]+:\/\//i, '').replace(/\/$/, '');
  const short = place.length > 60 ? `${place.slice(0, 59)}…` : place;
  if (Number.isNaN(at.getTime())) return short;
  const isToday = day.format(at) === day.format(new Date());
  return `${isToday ? '' : `${day.format(at)} `}${clock.format(at)} ${short}`;
}
