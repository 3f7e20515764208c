import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Commands } from '../commands.ts';
import { chosenDepths, costRange, costSentence, depthCosts } from './depth-cost.ts';
import type { PanelState } from '../panel-state.ts';

/** Chooses the evidence depth, and shows its cost for a cached read. */
export function depthSwitch({ depth }: PanelState, commands: Commands): TemplateResult {
  const cost = depth === null ? null : depthCosts[depth];
  const title = cost
    ? `${cost.title}: ${cost.says}. ${costSentence(cost)}`
    : 'The page is not watched';
  return html`<label class="depth" title=${title}
    >Evidence
    <select
      aria-label="Depth of evidence"
      @change=${(event: Event) => {
        const { value } = event.currentTarget as HTMLSelectElement;
        const chosen = chosenDepths.find((each) => each === value);
        if (chosen) commands.setDepth(chosen);
      }}
    >
      ${depth === null ? html`<option value="" selected>Off</option>` : nothing}
      ${chosenDepths.map(
        (each) =>
          html`<option
            value=${each}
            .selected=${live(each === depth)}
            title=${depthCosts[each].says}
          >
            ${depthCosts[each].title}
          </option>`,
      )}</select
    ><span class="cost">${cost ? costRange(cost) : nothing}</span></label
  >`;
}
