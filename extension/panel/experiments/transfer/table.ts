import { digits, unknownText } from '@cachescope/model/quantity.ts';
import type { TransferCurve, TransferPoint } from '@cachescope/model/transfer/curve.ts';
import { verdictText } from '@cachescope/model/transfer/finding.ts';
import type { ProtocolVerdict } from '@cachescope/model/transfer/protocol-verdict.ts';
import { protocolLabels } from '@cachescope/model/transfer/sample.ts';
import { changeText, sizeText } from '@cachescope/model/transfer/words.ts';
import { html, type TemplateResult } from 'lit';
import { type ColumnGroup, groupedTable } from '../../charts/grouped-table.ts';
import { intervalCell } from '../../charts/interval-text.ts';
import type { Cell } from '../../charts/plain-table.ts';

/** All sizes of one client and connection state, with a group of columns for each protocol. */
export function transferTable(
  label: string,
  curves: readonly TransferCurve[],
  verdicts: readonly ProtocolVerdict[],
): TemplateResult {
  const caption = `${label}: medians in ms with their 95 % intervals, as multiples of the round trip, and the verdict against ${protocolLabels[curves[0]?.protocol ?? 'h1']}. A dash means unknown.`;
  const columns = curves.map(({ protocol }, index): ColumnGroup => [
    protocolLabels[protocol],
    // The other protocols are compared with the first one.
    ['time', 'round trips', 'used', ...(index > 0 ? ['verdict'] : [])],
  ]);
  const rows = (curves[0]?.points ?? []).map(({ cell: { responseBytes } }, place) => ({
    groups: [
      [sizeText(responseBytes)],
      ...curves.map(({ points, protocol }, index) => {
        const verdict = verdicts.find(
          (each) => each.of === protocol && each.responseBytes === responseBytes,
        );
        const compared = verdict ? verdictCell(verdict) : unknownText;
        return [...pointCells(points[place]), ...(index > 0 ? [compared] : [])];
      }),
    ],
  }));
  const departs = ['departs', ...curves.map(({ change }) => changeText(change))];
  return groupedTable(label, caption, [['Answer', ['']], ...columns], rows, departs);
}

function pointCells(point: TransferPoint | undefined): Cell[] {
  const {
    medianMs = null,
    lowMs: low = null,
    highMs: high = null,
    roundTrips = null,
  } = point ?? {};
  return [intervalCell(digits(medianMs), { low, high }), digits(roundTrips), usedText(point)];
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
