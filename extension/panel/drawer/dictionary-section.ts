import {
  type DictionaryReason,
  dictionaryUse,
  type KnownDictionary,
  type UsedDictionary,
} from '@cachescope/model/dictionary/use.ts';
import type { Load, Resource } from '@cachescope/model/load/load.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { sentenceList } from '../run/sections.ts';

/** The dictionary that was used, or the reasons why none was. */
export function dictionarySection(
  resource: Resource,
  load: Load,
  known: readonly KnownDictionary[] | null,
): TemplateResult {
  if (known === null) return html`<p class="hint">Looking through the loads for dictionaries…</p>`;
  const use = dictionaryUse(resource, load, known);
  const offered = offeredBy(resource, known);
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

function usedView({ coding, hash, id, dictionary, isFromCache }: UsedDictionary): TemplateResult {
  return html`<p>
      <strong
        >${
          isFromCache
            ? `Compressed as ${coding} when it was fetched; stored decoded, so this read used no dictionary.`
            : `Compressed as ${coding} with a dictionary.`
        }</strong
      >
    </p>
    <dl>
      <dt>Dictionary</dt>
      <dd>${dictionary?.url ?? 'not in the loads that are kept'}</dd>
      <dt>SHA-256</dt>
      <dd>${hash ?? 'unknown: the request headers were not observed'}</dd>
      ${
        id
          ? html`<dt>Dictionary-ID</dt>
              <dd>${id}</dd>`
          : nothing
      }
      ${dictionary ? offerTerms(dictionary) : nothing}
    </dl>`;
}

function offerTerms({ offer, decodedBytes }: KnownDictionary): TemplateResult {
  return html`<dt>Match</dt>
    <dd>${offer?.match ?? 'none'}</dd>
    <dt>Size</dt>
    <dd>${byteSize(decodedBytes)}</dd>`;
}

function reasonList(reasons: readonly DictionaryReason[]): TemplateResult {
  return html`<ul>
    ${reasons.map(
      ({ says, dictionaryUrl }) =>
        html`<li>${says}${dictionaryUrl ? html`<small>${dictionaryUrl}</small>` : nothing}</li>`,
    )}
  </ul>`;
}

/** The dictionary that this response offers; nothing when it offers none. */
function offeredBy(
  { url }: Resource,
  known: readonly KnownDictionary[],
): TemplateResult | typeof nothing {
  const own = known.find((each) => each.url === url);
  if (!own) return nothing;
  return html`<h3>Offers itself as a dictionary</h3>
    ${own.problems.length > 0 ? sentenceList(own.problems) : html`<dl>${offerTerms(own)}</dl>`}`;
}
