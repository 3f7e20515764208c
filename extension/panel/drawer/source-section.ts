import type { Term } from '@cachescope/model/page/page.ts';
import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { Attribution, Signal } from '@cachescope/model/run/sample.ts';
import type { Resource } from '@cachescope/model/load/load.ts';
import { nothing, type TemplateResult } from 'lit';
import { html } from '../marked-html.ts';
import { unknownText } from '@cachescope/model/quantity.ts';
import { icon, type IconName } from '../icon.ts';
import { tableHead } from './table-head.ts';
import { sentenceList, termList } from '../run/sections.ts';
import { openQuestion, verdictIcon, verdictText } from '../run/verdict-words.ts';

const confidenceWords: Readonly<Record<Attribution['confidence'], string>> = {
  certain: 'Certain: a witness reported it directly.',
  likely: 'Likely: inferred, and no witness contradicts it.',
  unknown: 'Unknown: the evidence does not decide.',
};

const witnesses: Readonly<Record<EvidenceDepth, string>> = {
  page: 'Resource Timing',
  webRequest: 'webRequest',
  devtools: 'DevTools (HAR)',
  debugger: 'Network domain',
};

const stances: Readonly<Record<Signal['stance'], { icon: IconName; text: string }>> = {
  agrees: { icon: 'check-circle', text: 'agrees' },
  disagrees: { icon: 'cross-circle', text: 'disagrees' },
  silent: { icon: 'minus', text: 'cannot tell' },
  missing: { icon: 'help', text: 'missing' },
};

/** The source of the response, its confidence, and the evidence of every witness. */
export function sourceSection(
  { resource, attribution }: AttributedResource,
  isInspecting: boolean,
): TemplateResult {
  const { confidence, reasons, signals = [] } = attribution;
  const question = openQuestion(attribution);
  return html`<section>
    <p class="verdict ${confidence}">
      ${icon(verdictIcon(attribution))}<strong>${verdictText(attribution)}</strong>
    </p>
    <p class="confidence">${confidenceWords[confidence]} ${question}</p>
    ${unpaired(resource)} ${redirects(resource)} ${facts(attribution)}
    ${
      signals.length > 0
        ? signalTable(signals)
        : html`<h3>Reasons</h3>
            ${sentenceList(reasons)}`
    }
    ${isInspecting ? remedyOf(attribution) : nothing}
  </section>`;
}

/** A hint when another row may show the same request. */
function unpaired({ unpaired: depths }: Resource): TemplateResult | typeof nothing {
  if (!depths) return nothing;
  const names = depths.map((depth) => witnesses[depth]).join(' and ');
  return html`<p class="hint">
    ${icon('info')}<span
      >${names} saw a use of this URL at about this time. It could not be matched with this row for
      certain, so another row may show the same request.</span
    >
  </p>`;
}

/** Each redirect before the response, in a row of its own, as DevTools lists them. */
function redirects({
  url,
  status,
  finalUrl,
  redirects: hops = [],
}: Resource): TemplateResult | typeof nothing {
  if (finalUrl === undefined && hops.length === 0) return nothing;
  const responses = hops.length > 0 ? hops : [{ url, status: null }];
  return html`<h3>Redirects</h3>
    <ol class="redirects">
      ${[...responses, { url: finalUrl ?? unknownText, status }].map(
        (hop) =>
          html`<li>
            <span class="hop-status">${hop.status ?? unknownText}</span><span>${hop.url}</span>
          </li>`,
      )}
    </ol>
    <p class="hint">The row shows the last response, and the time from the first request on.</p>`;
}

function facts({ cacheStorageName, router }: Attribution): TemplateResult | typeof nothing {
  const terms: Term[] = [];
  if (cacheStorageName) terms.push(['Cache storage cache name', cacheStorageName]);
  if (router?.matched) terms.push(['Matched source', router.matched]);
  if (router?.actual) terms.push(['Actual source', router.actual]);
  if (terms.length === 0) return nothing;
  return termList(terms);
}

function signalTable(signals: readonly Signal[]): TemplateResult {
  return html`<h3>Signals</h3>
    <table class="signals">
      ${tableHead(['Witness', 'Evidence', 'Agreement'])}
      <tbody>
        ${signals.map(
          ({ depth, says, stance }) =>
            html`<tr>
              <th scope="row">${witnesses[depth]}</th>
              <td>${says}</td>
              <td class="stance ${stance}">
                ${icon(stances[stance].icon)}<span>${stances[stance].text}</span>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

/** Suggests a depth when the source is unknown and the debugger, which would know it, was not attached. */
function remedyOf({ source, signals = [] }: Attribution): TemplateResult | typeof nothing {
  const isDebuggerMissing = signals.some(
    ({ depth, stance }) => depth === 'debugger' && stance === 'missing',
  );
  if (source !== 'unknown' || !isDebuggerMissing) return nothing;
  return html`<p class="hint">
    ${icon('info')}<span
      >The evidence depth Debugger would show it at the next load. It makes cached reads slower, so
      it is off by default.</span
    >
  </p>`;
}
