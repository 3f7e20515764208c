import { digits, unknownText } from '@cachescope/model/quantity.ts';
import {
  type CurveGroup,
  pointsBySize,
  type ProtocolVerdict,
  type TransferPoint,
  verdictOn,
} from '@cachescope/model/transfer/curve.ts';
import { protocolLabels } from '@cachescope/model/transfer/sample.ts';
import {
  changeText,
  sizeText,
  verdictText,
  verdictWord,
} from '@cachescope/model/transfer/words.ts';
import { html, type TemplateResult } from 'lit';
import { type ColumnGroup, groupedTable } from '../../charts/grouped-table.ts';
import { intervalCell } from '../../charts/interval-text.ts';
import type { Cell } from '../../charts/plain-table.ts';

/** All sizes of one client and connection state, with a group of columns for each protocol. */
export function transferTable(
  { label, curves }: CurveGroup,
  verdicts: readonly ProtocolVerdict[],
): TemplateResult {
  const caption = `${label}: medians in ms with their 95 % intervals, as multiples of the round trip, and the verdict against ${protocolLabels[curves[0]?.protocol ?? 'h1']}. A dash means unknown.`;
  const columns = curves.map(({ protocol }, index): ColumnGroup => [
    protocolLabels[protocol],
    // The other protocols are compared with the first one.
    ['time', 'round trips', 'used', ...(index > 0 ? ['verdict'] : [])],
  ]);
  const rows = pointsBySize(curves).map(([bytes, points]) => ({
    groups: [
      [sizeText(bytes)],
      ...points.map((point, index) => {
        const verdict = verdictCell(verdictOn(point.cell, verdicts));
        return [...pointCells(point), ...(index > 0 ? [verdict] : [])];
      }),
    ],
  }));
  const departs = ['departs', ...curves.map(({ change }) => changeText(change))];
  return groupedTable(label, caption, [['Response size', ['']], ...columns], rows, departs);
}

function pointCells(point: TransferPoint): Cell[] {
  const { medianMs, lowMs: low, highMs: high, roundTrips, samples, flagged } = point;
  const used = flagged === 0 ? `${samples}` : `${samples} (${flagged} flagged)`;
  return [intervalCell(digits(medianMs), { low, high }), digits(roundTrips), used];
}

function verdictCell(verdict: ProtocolVerdict | undefined): Cell {
  if (!verdict) return unknownText;
  return html`<span title=${verdictText(verdict)}>${verdictWord(verdict)}</span>`;
}
