import { expect, test } from 'vitest';
import { byCell, missingCells } from './cell.ts';
import { type Cell, cellKey } from './sample.ts';

const cell: Cell = { arm: 'dcb', storage: 'nbd-delay', delayMs: 5 };
const others: Cell[] = [
  { ...cell, arm: 'br' },
  { ...cell, storage: 'dm-delay' },
  { ...cell, delayMs: 0 },
  { ...cell, profile: 'disk' },
  { ...cell, variant: 'stock' },
  { ...cell, workload: 'pdfjs' },
];

test('the key of a cell is equal exactly where every field is, in any order of the fields', () => {
  const reordered = { delayMs: 5, storage: 'nbd-delay', arm: 'dcb' } as const;
  const lines = [cell, ...others, reordered].map((each) => ({ cell: each }));
  expect(byCell(lines, cellKey).map((own) => own.length)).toEqual([2, 1, 1, 1, 1, 1, 1]);
});

test('cells without a line are missing, each once', () => {
  const [other = cell] = others;
  expect(missingCells([cell, other, other], [{ cell: { ...cell } }], cellKey)).toEqual([other]);
});
