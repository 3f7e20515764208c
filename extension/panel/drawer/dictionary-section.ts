import {
  type DictionaryReason,
  dictionaryUse,
  type KnownDictionary,
  offeredDictionary,
  type UsedDictionary,
} from '@cachescope/model/dictionary/use.ts';
import type { Load, Resource } from '@cachescope/model/load/load.ts';
import { nothing, type TemplateResult } from 'lit';
import { html } from '../marked-html.ts';
import { sentenceList, termList } from '../run/sections.ts';
import { offerTerms, usedTerms } from './dictionary-terms.ts';

/** The dictionary that was used, or the reasons why none was. */
export function dictionarySection(
  resource: Resource,
  load: Load,
  known: readonly KnownDictionary[] | null,
): TemplateResult {
  if (known === null) return html`<p class="hint">Looking through the loads for dictionaries…</p>`;
  const use = dictionaryUse(resource, load, known);
  const offered = offeredBy(resource, load);
  if ('used' in use) return html`${usedView(use.used)} ${offered}`;
  if ('notUsed' in use) {
    return html`<p><strong>No dictionary was used.</strong></p>
      ${reasonList(use.notUsed)} ${offered}`;
  }
  return html`<p><strong>Unknown.</strong> Missing: ${use.unknown.join('; ')}.</p>
    ${
      use.considered.length > 0
        ? html`<h3>What is known</h3>
            ${reasonList(use.considered)}`
        : nothing
    }
    ${offered}`;
}

function usedView(used: UsedDictionary): TemplateResult {
  return html`<p>
      <strong
        >${
          used.isFromCache
            ? `Compressed as ${used.coding} when it was fetched, and decoded before it was stored: this read used no dictionary.`
            : `Compressed as ${used.coding} with a dictionary.`
        }</strong
      >
    </p>
    ${termList(usedTerms(used))}`;
}

function reasonList(reasons: readonly DictionaryReason[]): TemplateResult {
  return html`<ul>
    ${reasons.map(
      ({ says, dictionaryUrl }) =>
        html`<li>${says}${dictionaryUrl ? html`<small>${dictionaryUrl}</small>` : nothing}</li>`,
    )}
  </ul>`;
}

/** The dictionary that this response offers; nothing when it offers none, or its header fields are unknown. */
function offeredBy(resource: Resource, load: Load): TemplateResult | typeof nothing {
  const own = offeredDictionary(resource, load);
  if (!own) return nothing;
  return html`<h3>Offers itself as a dictionary</h3>
    ${own.problems.length > 0 ? sentenceList(own.problems) : termList(offerTerms(own))}`;
}
