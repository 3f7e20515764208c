import { isFromCache } from '@cachescope/model/attribution/attributed-resource.ts';
import { milliseconds } from '@cachescope/model/quantity.ts';
import { nothing, svg, type TemplateResult } from 'lit';
import { html } from '../marked-html.ts';
import { oncePer } from '../once-per.ts';
import {
  filterBy,
  type PanelState,
  type ShownLoad,
  type TimeSpan,
  type Update,
} from '../panel-state.ts';
import { waterfallBar, waterfallSpan } from './waterfall.ts';

/** Columns of the overview: each counts the requests in flight during its part of the load. */
const columns = 240;
/** Height of the drawing, in its own units. */
const heightUnits = 30;
/** Times on the axis, of the whole. */
const ticks = [0, 0.25, 0.5, 0.75, 1];

const kinds = ['unknown', 'elsewhere', 'from-cache'] as const;
type Kind = (typeof kinds)[number];

/** Requests in flight by where they came from, in each column. */
type InFlight = Record<Kind, number[]>;

/**
 * All requests of a load over its time, above the grid. Dragging over it keeps the requests of that time in the grid, and
 * the waterfall shows that time alone; a double click shows all again. Keys: the arrows move and resize the time, Esc
 * shows all.
 */
export function overview(state: PanelState, shown: ShownLoad, update: Update): TemplateResult {
  const whole = waterfallSpan(shown);
  const { range } = state.filter;
  const choose = (chosen: TimeSpan | null) =>
    update(filterBy({ range: chosen && within(chosen, whole) }));
  return html`<div
    class="overview"
    role="group"
    tabindex="0"
    aria-label=${labelOf(range)}
    title="Drag to see a part of the time, double click to see all"
    @pointerdown=${(event: PointerEvent) => drag(event, whole, choose)}
    @dblclick=${() => choose(null)}
    @keydown=${(event: KeyboardEvent) => keys(event, range, whole, choose)}
  >
    <svg viewBox="0 0 ${columns} ${heightUnits}" preserveAspectRatio="none" aria-hidden="true">
      ${pathsOf(shown)}
    </svg>
    ${ticks.map((share) => tick(share, whole))} ${range ? window(range, whole) : nothing}
  </div>`;
}

function labelOf(range: TimeSpan | null): string {
  return range
    ? `Overview: requests of ${milliseconds(range.fromMs)} to ${milliseconds(range.toMs)}`
    : 'Overview: requests of all times';
}

function tick(share: number, { fromMs, toMs }: TimeSpan): TemplateResult {
  const at = `left: ${100 * share}%`;
  return html`<span class="tick ${share === 1 ? 'last' : ''}" .style=${at}
    >${milliseconds(Math.round(fromMs + share * (toMs - fromMs)))}</span
  >`;
}

/** The chosen part; what is outside is dimmed. */
function window({ fromMs, toMs }: TimeSpan, whole: TimeSpan): TemplateResult {
  const share = (ms: number) => (100 * (ms - whole.fromMs)) / (whole.toMs - whole.fromMs);
  const style = `left: ${share(fromMs)}%; right: ${100 - share(toMs)}%`;
  return html`<span class="chosen" .style=${style}></span>`;
}

/** Cached because every scroll draws the panel again. */
const pathsOf = oncePer((shown: ShownLoad) => {
  const inFlight = inFlightOf(shown);
  const most = Math.max(
    1,
    ...inFlight.unknown.map((_, at) => kinds.reduce((sum, kind) => sum + inFlight[kind][at]!, 0)),
  );
  const below = Array.from({ length: columns }, () => 0);
  return kinds.map((kind) => {
    const bars = inFlight[kind].flatMap((requests, at) => {
      if (requests === 0) return [];
      const unit = heightUnits / most;
      below[at] = (below[at] ?? 0) + requests;
      return `M${at} ${heightUnits - unit * below[at]}h1v${unit * requests}h-1z`;
    });
    return svg`<path class="share ${kind}" d=${bars.join('')}></path>`;
  });
});

function inFlightOf(shown: ShownLoad): InFlight {
  const span = waterfallSpan(shown);
  const empty = () => Array.from({ length: columns }, () => 0);
  const found: InFlight = { unknown: empty(), elsewhere: empty(), 'from-cache': empty() };
  const columnOf = (ms: number) =>
    Math.min(columns - 1, Math.floor((columns * (ms - span.fromMs)) / (span.toMs - span.fromMs)));
  for (const { resource, attribution } of shown.rows) {
    const bar = waterfallBar(resource, span);
    if (!bar) continue;
    const known = isFromCache(attribution) ? 'from-cache' : 'elsewhere';
    const own = found[attribution.source === 'unknown' ? 'unknown' : known];
    const last = columnOf(bar.endMs);
    for (let at = columnOf(resource.startMs); at <= last; at++) own[at] = (own[at] ?? 0) + 1;
  }
  return found;
}

type Choose = (range: TimeSpan | null) => void;

/** A drag of less than 3 px is a click, which changes nothing. */
function drag(event: PointerEvent, { fromMs, toMs }: TimeSpan, choose: Choose): void {
  const strip = event.currentTarget as HTMLElement;
  const { left, width } = strip.getBoundingClientRect();
  const at = (px: number) => fromMs + ((px - left) / width) * (toMs - fromMs);
  const move = ({ clientX }: PointerEvent): void => {
    if (Math.abs(clientX - event.clientX) < 3) return;
    const ends = [at(event.clientX), at(clientX)];
    choose({ fromMs: Math.min(...ends), toMs: Math.max(...ends) });
  };
  strip.setPointerCapture(event.pointerId);
  strip.addEventListener('pointermove', move);
  const end = (): void => strip.removeEventListener('pointermove', move);
  strip.addEventListener('lostpointercapture', end, { once: true });
}

/** Left and right move the chosen part by a quarter of it; up halves it, down doubles it. */
function keys(event: KeyboardEvent, range: TimeSpan | null, whole: TimeSpan, choose: Choose): void {
  const { fromMs, toMs } = range ?? whole;
  const quarter = (toMs - fromMs) / 4;
  const moved: Record<string, TimeSpan | null> = {
    ArrowLeft: { fromMs: fromMs - quarter, toMs: toMs - quarter },
    ArrowRight: { fromMs: fromMs + quarter, toMs: toMs + quarter },
    ArrowUp: { fromMs: fromMs + quarter, toMs: toMs - quarter },
    ArrowDown: { fromMs: fromMs - 2 * quarter, toMs: toMs + 2 * quarter },
    Escape: null,
  };
  const chosen = moved[event.key];
  if (chosen === undefined || (chosen === null && range === null)) return;
  event.preventDefault();
  event.stopPropagation();
  choose(chosen);
}

/** The part that lies in the whole, of the same length where it fits; null: it is the whole. */
function within({ fromMs, toMs }: TimeSpan, whole: TimeSpan): TimeSpan | null {
  const length = Math.max(1, toMs - fromMs);
  if (length >= whole.toMs - whole.fromMs) return null;
  const start = Math.min(Math.max(fromMs, whole.fromMs), whole.toMs - length);
  return { fromMs: start, toMs: start + length };
}
