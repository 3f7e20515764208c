import type { StoringReading } from '@cachescope/model/storing/run.ts';
import { expect, test } from 'vitest';
import { readingOf } from './cell.ts';
import { cellsLacking } from './measurement.ts';

const text = { body: 'text', bytes: 1024, coding: 'dcb' } as const;
const random = { ...text, body: 'random' } as const;

test('a cell without a usable reading is named, but no measure that this system cannot read', () => {
  const stock = { variant: 'stock' };
  const lines = [
    readingOf(stock, text, 'load-time', [1]),
    readingOf(stock, random, 'load-time', [1], ['origin-unasked']),
    readingOf({ variant: 'other' }, random, 'load-time', [1]),
    readingOf(stock, text, 'hit-rate', [1], ['not-full']),
    readingOf(stock, text, 'memory', []),
    readingOf(stock, random, 'memory', []),
    readingOf(stock, text, 'stored', [900]),
    readingOf({ variant: 'other' }, text, 'stored', [], ['unknown']),
  ].map((reading, sequence): StoringReading => ({ ...reading, sequence, pass: 0 }));
  expect(cellsLacking(lines)).toEqual([
    'load-time of random of 1 KiB as dcb with stock',
    'stored of text of 1 KiB as dcb with other',
  ]);
  const again = { ...lines[1], sequence: 9, pass: 1, flags: [] } as StoringReading;
  expect(cellsLacking([...lines, again])).toEqual(['stored of text of 1 KiB as dcb with other']);
});
