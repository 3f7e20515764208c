import type { TransferPlan } from '@cachescope/model/transfer/run.ts';
import {
  type TransferCell,
  transferCellKey,
  type TransferSample,
  usableTransfers,
} from '@cachescope/model/transfer/sample.ts';
import { seriesLabel, sizeText } from '@cachescope/model/transfer/words.ts';
import { transferCells } from './batches.ts';

/** Maximum number of cells that a reason names; further ones are counted. */
const mostNamed = 5;

/** Why a finished run is not complete: cells of its plan without a usable sample; null: there are none. */
export function cellsWithoutUse(
  plan: TransferPlan,
  samples: readonly TransferSample[],
): string | null {
  const known = new Set(usableTransfers(samples).map(({ cell }) => transferCellKey(cell)));
  const unknown = transferCells(plan).filter((cell) => !known.has(transferCellKey(cell)));
  if (unknown.length === 0) return null;
  const more = unknown.length > mostNamed ? ` and ${unknown.length - mostNamed} more` : '';
  return `no usable request of ${unknown.slice(0, mostNamed).map(cellName).join('; ')}${more}`;
}

function cellName(cell: TransferCell): string {
  return `${sizeText(cell.responseBytes)} over ${seriesLabel(cell)}`;
}
