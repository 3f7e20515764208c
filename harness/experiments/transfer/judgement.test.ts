import type { TransferPlan } from '@cachescope/model/transfer/run.ts';
import type { TransferCell, TransferSample } from '@cachescope/model/transfer/sample.ts';
import { expect, test } from 'vitest';
import { transferCells } from './batches.ts';
import { cellsWithoutUse } from './judgement.ts';

const plan: TransferPlan = {
  clients: ['chromium', 'node'],
  protocols: ['h1', 'h2'],
  connections: ['cold', 'warm'],
  sizesBytes: [1000],
  requestBytes: 800,
  requestsPerCell: 1,
  launches: 1,
  serverDelayMs: 0,
  seed: 1,
  margin: 0.02,
};

function sampleOf(cell: TransferCell, flags: TransferSample['flags'] = []): TransferSample {
  const unknown = { connectMs: null, waitMs: null, downloadMs: null, protocolName: null };
  const origin = { originConnection: null, originRequest: null, originMs: null };
  const place = { sequence: 0, launch: 0, takenAt: '' };
  return { ...place, cell, totalMs: 1, bodyBytes: 1000, ...unknown, ...origin, flags };
}

test('a run is complete when every cell has a usable sample, even if others are flagged', () => {
  const cells = transferCells(plan);
  const flagged = cells.map((cell) => sampleOf(cell, ['other-protocol']));
  expect(cellsWithoutUse(plan, [...cells.map((cell) => sampleOf(cell)), ...flagged])).toBeNull();
});

test('cells with only flagged samples and cells without samples are named', () => {
  const [flagged, missing, ...others] = transferCells(plan);
  if (!flagged || !missing) throw new Error('the plan has no cells');
  const samples = others.map((cell) => sampleOf(cell));
  expect(cellsWithoutUse(plan, [...samples, sampleOf(flagged, ['reused-connection'])])).toBe(
    'no usable request of 1 KB over HTTP/1.1, cold, in Chromium; 1 KB over HTTP/1.1, warm, in Chromium',
  );
});

test('beyond the first five, cells are counted', () => {
  expect(cellsWithoutUse(plan, [])).toMatch(/ and 3 more$/);
});
