import { missingCells } from '@cachescope/model/run/cell.ts';
import { unflagged } from '@cachescope/model/run/flags.ts';
import type { TransferPlan } from '@cachescope/model/transfer/run.ts';
import {
  type TransferCell,
  transferCellKey,
  type TransferSample,
} from '@cachescope/model/transfer/sample.ts';
import { seriesLabel, sizeText } from '@cachescope/model/transfer/words.ts';
import { cellsWithoutUse } from '../../lab/cells-without-use.ts';
import { shareOfPass, shuffle } from '../../lab/schedule.ts';

/** Consecutive requests of one cell. */
export interface TransferBatch {
  cell: TransferCell;
  requests: number;
}

/** All cells of a plan. */
export function transferCells(plan: TransferPlan): TransferCell[] {
  const paths = plan.paths?.map(({ name }) => ({ path: name })) ?? [{}];
  return paths.flatMap((path) =>
    plan.clients.flatMap((client) =>
      plan.protocols.flatMap((protocol) =>
        plan.connections.flatMap((connection) =>
          plan.sizesBytes.map((responseBytes) => ({
            client,
            protocol,
            connection,
            responseBytes,
            ...path,
          })),
        ),
      ),
    ),
  );
}

/** Why a finished run is not complete: cells of its plan without a usable sample; null: there are none. */
export function lacking(plan: TransferPlan, samples: readonly TransferSample[]): string | null {
  const unknown = missingCells(transferCells(plan), unflagged(samples), transferCellKey);
  const names = unknown.map((cell) => `${sizeText(cell.responseBytes)} over ${seriesLabel(cell)}`);
  return cellsWithoutUse('request', names);
}

/** Maximum number of requests in a batch: a short disturbance of the machine then affects few requests of a cell. */
const mostInBatch = 10;

/** Number of batches of each cell in a launch. */
function roundsOf(requests: number): number {
  return Math.ceil(requests / mostInBatch);
}

/** Number of batches of the whole plan. */
export function plannedBatches(plan: TransferPlan): number {
  const rounds = Array.from({ length: plan.launches }, (_, launch) =>
    roundsOf(shareOfPass(plan.requestsPerCell, plan.launches, launch)),
  );
  return transferCells(plan).length * rounds.reduce((sum, each) => sum + each, 0);
}

/**
 * The batches of one path in one launch, in rounds. Each round has every cell once, in a random order, so that a drift of
 * the machine or the network affects all cells equally.
 */
export function batchesOf(
  plan: TransferPlan,
  launch: number,
  random: () => number,
  path?: string,
): TransferBatch[] {
  const cells = transferCells(plan).filter((cell) => cell.path === path);
  const inLaunch = shareOfPass(plan.requestsPerCell, plan.launches, launch);
  const rounds = roundsOf(inLaunch);
  return Array.from({ length: rounds }, (_, round) => {
    const requests = shareOfPass(inLaunch, rounds, round);
    return shuffle(cells, random).map((cell) => ({ cell, requests }));
  }).flat();
}
