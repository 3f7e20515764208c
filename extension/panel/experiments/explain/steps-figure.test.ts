import { madeUpTraced } from '@cachescope/model/fixtures/made-up-traced.ts';
import { expect, test } from 'vitest';
import { caption, shownReads } from './steps-figure.ts';

test('the steps in a merged run are those of one machine, which is named', () => {
  const traced = [1, 2].flatMap((shard) =>
    [5, 0].map((delayMs) => madeUpTraced('br', delayMs, 3, { machine: `m${shard}`, shard })),
  );
  const reads = shownReads(traced);
  expect(reads.map(({ cell, machine }) => [cell.delayMs, machine])).toEqual([
    [0, 'm1'],
    [5, 'm1'],
  ]);
  expect(caption(reads)).toContain('One traced read each on m1, shard 1, excluded');
  expect(caption(shownReads([madeUpTraced('br', 5, 3)]))).toContain('One traced read each, excl');
});
