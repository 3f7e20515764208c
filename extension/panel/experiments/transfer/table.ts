import { digits, unknownText } from '@cachescope/model/quantity.ts';
import type { TransferCurve, TransferPoint } from '@cachescope/model/transfer/curve.ts';
import { verdictText } from '@cachescope/model/transfer/finding.ts';
import type { ProtocolVerdict } from '@cachescope/model/transfer/protocol-verdict.ts';
import { protocolLabels } from '@cachescope/model/transfer/sample.ts';
import { changeText, sizeText } from '@cachescope/model/transfer/words.ts';
import { html, nothing, type TemplateResult } from 'lit';

/** All sizes of one client and connection state, with a group of columns for each protocol. */
export function transferTable(
  label: string,
  curves: readonly TransferCurve[],
  verdicts: readonly ProtocolVerdict[],
): TemplateResult {
  const rows = curves[0]?.points ?? [];
  return html`<div class="scroll" role="region" aria-label=${label} tabindex="0">
    <table>
      <caption>
        <span
          >${label}: medians in ms with their 95 % intervals, as multiples of the round trip, and
          the verdict against ${protocolLabels[curves[0]?.protocol ?? 'h1']}. A dash means
          unknown.</span
        >
      </caption>
      ${head(curves)}
      <tbody>
        ${rows.map((point, row) => sizeRow(point, row, curves, verdicts))}
        <tr>
          <th scope="row">departs</th>
          ${curves.map(
            ({ change }, index) =>
              html`<td class="group" colspan=${columnsOf(index).length}>${changeText(change)}</td>`,
          )}
        </tr>
      </tbody>
    </table>
  </div>`;
}

/** The other protocols are compared with the first one. */
function columnsOf(index: number): string[] {
  return ['time', 'round trips', 'used', ...(index > 0 ? ['verdict'] : [])];
}

function head(curves: readonly TransferCurve[]): TemplateResult {
  return html`<thead>
    <tr>
      <th scope="col">Answer</th>
      ${curves.map(
        ({ protocol }, index) =>
          html`<th scope="colgroup" class="group" colspan=${columnsOf(index).length}>
            ${protocolLabels[protocol]}
          </th>`,
      )}
    </tr>
    <tr>
      <th scope="col"></th>
      ${curves.map((_, index) =>
        columnsOf(index).map(
          (column, place) =>
            html`<th scope="col" class=${place === 0 ? 'group' : ''}>${column}</th>`,
        ),
      )}
    </tr>
  </thead>`;
}

function sizeRow(
  { cell }: TransferPoint,
  row: number,
  curves: readonly TransferCurve[],
  verdicts: readonly ProtocolVerdict[],
): TemplateResult {
  return html`<tr>
    <th scope="row">${sizeText(cell.responseBytes)}</th>
    ${curves.map(({ points, protocol }, index) => {
      const verdict = verdicts.find(
        (each) => each.of === protocol && each.responseBytes === cell.responseBytes,
      );
      return pointCells(points[row], index > 0, verdict);
    })}
  </tr>`;
}

function pointCells(
  point: TransferPoint | undefined,
  isCompared: boolean,
  verdict: ProtocolVerdict | undefined,
): TemplateResult {
  const { medianMs = null, lowMs = null, highMs = null, roundTrips = null } = point ?? {};
  const interval =
    lowMs === null || highMs === null ? unknownText : `${digits(lowMs)} to ${digits(highMs)}`;
  return html`<td class="group">
      <span>${digits(medianMs)}<small>${interval}</small></span>
    </td>
    <td>${digits(roundTrips)}</td>
    <td>${usedText(point)}</td>
    ${isCompared ? html`<td>${verdict ? verdictCell(verdict) : unknownText}</td>` : nothing}`;
}

function usedText(point: TransferPoint | undefined): string {
  const { samples = 0, flagged = 0 } = point ?? {};
  return flagged === 0 ? `${samples}` : `${samples} (${flagged} flagged)`;
}

function verdictCell(each: ProtocolVerdict): TemplateResult {
  return html`<span title=${verdictText(each)}>${verdictWord(each)}</span>`;
}

function verdictWord({ verdict }: ProtocolVerdict): string {
  if (verdict.outcome === 'SAME') return 'same';
  if (verdict.outcome === 'UNKNOWN') return 'not known';
  return verdict.direction === 'greater' ? 'slower' : 'faster';
}
