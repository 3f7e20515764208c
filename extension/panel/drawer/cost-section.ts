import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import type { Resource } from '@cachescope/model/load/load.ts';
import { byteSize, digits } from '@cachescope/model/quantity.ts';
import type { TemplateResult } from 'lit';
import { html } from '../marked-html.ts';
import type { BodyCost } from './body-cost.ts';
import { outlinedButton } from '../buttons.ts';
import type { Commands } from '../commands.ts';
import type { PanelState } from '../panel-state.ts';
import { storedForm } from './stored-form.ts';
import { tableHead } from './table-head.ts';

/** Sizes on the wire and in the cache as served, beside those of plain Brotli of the same bytes. */
export function costSection(
  row: AttributedResource,
  { cost, isInspecting }: PanelState,
  commands: Commands,
): TemplateResult {
  const { resource } = row;
  const stored = storedForm(row);
  const mine = cost?.sequence === resource.sequence ? cost : null;
  return html`<table class="costs">
      ${tableHead(['Form'], ['On the wire', 'In the cache'])}
      <tbody>
        <tr>
          <th scope="row">As served (${resource.coding ?? 'coding not known'})</th>
          <td class="number">${byteSize(resource.encodedBytes)}</td>
          <td class="number" title=${stored.says}>${stored.text}</td>
        </tr>
        ${(mine?.costs ?? []).map(
          ({ quality, bytes, compressMs }) =>
            html`<tr>
              <th scope="row">Brotli, quality ${quality}</th>
              <td class="number">${byteSize(bytes)}</td>
              <td class="number" title=${`Compressed here in ${digits(compressMs)} ms`}>
                ≈ ${byteSize(bytes)}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${advice(resource, mine, isInspecting, commands)}`;
}

function advice(
  resource: Resource,
  cost: BodyCost | null,
  isInspecting: boolean,
  commands: Commands,
): TemplateResult {
  const isWorking = cost !== null && !cost.costs && cost.problem === '';
  if (isWorking) {
    return html`<p class="hint">Compressing… Quality 11 takes about 2 s for each MiB.</p>
      ${outlinedButton('Cancel', commands.cancelCost)}`;
  }
  const button = isInspecting
    ? outlinedButton('Compress with plain Brotli', () => commands.measureCost(resource))
    : html`<p class="hint">The body is available only in DevTools, from the inspected page.</p>`;
  if (cost?.problem)
    return html`<p class="hint" role="alert">${cost.problem}</p>
      ${button}`;
  return cost ? costHint(resource, cost) : button;
}

/** DevTools has the body of the last request for a URL, which may be newer than the load that is shown. */
function costHint({ decodedBytes }: Resource, cost: BodyCost): TemplateResult {
  const isOther = decodedBytes !== null && decodedBytes !== cost.decodedBytes;
  const whose = isOther
    ? `the ${byteSize(cost.decodedBytes)} that DevTools has for this URL, which had ${byteSize(decodedBytes)} in this load,`
    : `the same ${byteSize(cost.decodedBytes)}`;
  return html`<p class="hint">
    Sizes of ${whose} as Brotli, compressed here. A cache hit in Brotli reads fewer bytes from the
    disk, and must be decoded.
  </p>`;
}
