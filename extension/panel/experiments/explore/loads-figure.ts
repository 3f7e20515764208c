import type { LoadLine } from '@cachescope/model/explore/summary.ts';
import { count, counted, milliseconds } from '@cachescope/model/quantity.ts';
import { html, nothing, type TemplateResult } from 'lit';

/** Loads that the figure has room for. */
const mostLoads = 20;

const shares = [
  { kind: 'from-cache', name: 'From a cache', of: ({ fromCache }: LoadLine) => fromCache },
  {
    kind: 'elsewhere',
    name: 'From elsewhere',
    of: ({ resources, fromCache, unknown }: LoadLine) => resources - fromCache - unknown,
  },
  { kind: 'unknown', name: 'Unknown', of: ({ unknown }: LoadLine) => unknown },
] as const;

/** How many resources of each load came from a cache, as stacked bars: of the last loads, in their order. */
export function loadsFigure(loads: readonly LoadLine[]): TemplateResult {
  const shown = loads.slice(-mostLoads);
  const most = Math.max(1, ...shown.map(({ resources }) => resources));
  const only =
    shown.length < loads.length ? ` The last ${mostLoads} of ${loads.length} loads.` : '';
  const caption = `Each bar is a load, with its read delay. From elsewhere: the network, also to validate a stored response, or no request at all.${only}`;
  return html`<div class="figures lead">
    <figure id="loads">
      <figcaption>
        <h3>Resources of each load by where they came from (count)</h3>
        <p>${caption}</p>
      </figcaption>
      <ul class="bar-legend">
        ${shares.map(({ kind, name }) => html`<li class="share ${kind}">${name}</li>`)}
      </ul>
      <div class="stacked-bars named" role="img" aria-label=${shown.map(inWords).join(' ')}>
        ${shown.map((load, place) => row(load, loads.length - shown.length + place, most))}
      </div>
    </figure>
  </div>`;
}

function row(load: LoadLine, place: number, most: number): TemplateResult {
  const delay = load.delaysMs.map(milliseconds).join(', ');
  const name = `${place + 1}. ${load.navigationType.replace('_', '/')}`;
  return html`<span>${name}${delay === '' ? nothing : `, ${delay}`}</span>
    <span class="bar"
      >${shares.map(({ kind, name: title, of }) => {
        const resources = of(load);
        const width = `width: ${((100 * resources) / most).toFixed(3)}%`;
        return resources > 0
          ? html`<i
              class="share ${kind}"
              .style=${width}
              title=${`${title}: ${count(resources)}`}
            ></i>`
          : nothing;
      })}<small>${count(load.fromCache)} of ${count(load.resources)}</small></span
    >`;
}

function inWords(load: LoadLine): string {
  const { navigationType, resources, fromCache, unknown } = load;
  return `${navigationType}: ${counted(resources, 'resource')}, ${count(fromCache)} from a cache, ${count(unknown)} unknown.`;
}
