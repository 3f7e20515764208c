import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { TransferPlan } from '@cachescope/model/transfer/run.ts';
import {
  type TransferCell,
  transferCellKey,
  type TransferSample,
} from '@cachescope/model/transfer/sample.ts';
import { expect, test } from 'vitest';
import { batchesOf, lacking, plannedBatches, transferCells } from './batches.ts';

const plan: TransferPlan = {
  clients: ['chromium', 'node'],
  protocols: ['h1', 'h2'],
  connections: ['cold', 'warm'],
  sizesBytes: [1000, 35_000, 400_000],
  requestBytes: 800,
  requestsPerCell: 103,
  launches: 4,
  serverDelayMs: 0,
  seed: 1,
  margin: 0.02,
};

const launches = [0, 1, 2, 3].map((launch) => batchesOf(plan, launch, createRandom(launch)));

test('all launches together take the planned number of requests of each cell', () => {
  const byCell = Map.groupBy(launches.flat(), ({ cell }) => transferCellKey(cell));
  expect(byCell.size).toBe(24);
  for (const batches of byCell.values())
    expect(batches.reduce((sum, { requests }) => sum + requests, 0)).toBe(103);
  expect(launches.flat()).toHaveLength(plannedBatches(plan));
});

test('no cell has a third batch before every other cell has a second', () => {
  for (const batches of launches) {
    const seen = new Map<string, number>();
    for (const { cell } of batches) {
      const key = transferCellKey(cell);
      seen.set(key, (seen.get(key) ?? 0) + 1);
      if (seen.size === 24)
        expect(Math.max(...seen.values()) - Math.min(...seen.values())).toBeLessThan(2);
    }
  }
});

test('the order is random, and the same seed gives the same order', () => {
  expect(batchesOf(plan, 0, createRandom(9))).toEqual(batchesOf(plan, 0, createRandom(9)));
  expect(batchesOf(plan, 0, createRandom(9))).not.toEqual(batchesOf(plan, 0, createRandom(8)));
});

const small: TransferPlan = { ...plan, sizesBytes: [1000], requestsPerCell: 1, launches: 1 };

function sampleOf(cell: TransferCell, flags: TransferSample['flags'] = []): TransferSample {
  const unknown = { connectMs: null, waitMs: null, downloadMs: null, protocolName: null };
  const origin = { originConnection: null, originRequest: null, originMs: null };
  const place = { sequence: 0, launch: 0, takenAt: '' };
  return { ...place, cell, totalMs: 1, bodyBytes: 1000, ...unknown, ...origin, flags };
}

test('a run is complete when every cell has a usable sample, even if others are flagged', () => {
  const cells = transferCells(small);
  const flagged = cells.map((cell) => sampleOf(cell, ['other-protocol']));
  expect(lacking(small, [...cells.map((cell) => sampleOf(cell)), ...flagged])).toBeNull();
});

test('cells with only flagged samples and cells without samples are named', () => {
  const [flagged, missing, ...others] = transferCells(small);
  if (!flagged || !missing) throw new Error('the plan has no cells');
  const samples = others.map((cell) => sampleOf(cell));
  expect(lacking(small, [...samples, sampleOf(flagged, ['reused-connection'])])).toBe(
    'no usable request of 1 KB over HTTP/1.1, cold, in Chromium; 1 KB over HTTP/1.1, warm, in Chromium',
  );
});

test('beyond the first five, cells are counted', () => {
  expect(lacking(small, [])).toMatch(/ and 3 more$/);
});
