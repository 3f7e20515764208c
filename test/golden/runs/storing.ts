import { madeUpBase } from '@cachescope/model/fixtures/made-up-base.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';
import type { StoringReading, StoringRun } from '@cachescope/model/storing/run.ts';

/** Each measure once, some of them unknown. */
export function storing(): RunDocument {
  const cells: [Partial<StoringReading>, stock: number | null, fix: number | null][] = [
    [{}, 10, 15],
    [{ bytes: 1_048_576 }, 40, 40],
    [{ measure: 'memory' }, 2 ** 20, null],
    [{ measure: 'stored' }, 1024, 330],
    [{ measure: 'entries' }, 9, 30],
    [{ measure: 'hit-rate' }, 0.345, 0.35],
  ];
  const readings = cells
    .flatMap(([cell, ...values]) =>
      ['stock', 'fix'].flatMap((variant, side) =>
        Array.from({ length: 6 }, (_, pass): Omit<StoringReading, 'sequence'> => {
          const value = values[side] ?? null;
          return {
            pass,
            variant,
            measure: 'load-time',
            body: 'text',
            bytes: 1024,
            coding: 'dcb',
            values: value === null ? [] : [value * (1 + pass / 500)],
            takenAt: '2026-11-20T23:00:00Z',
            flags: value === null ? ['unknown'] : [],
            ...cell,
          };
        }),
      ),
    )
    .map((reading, sequence) => ({ ...reading, sequence }));
  const run: StoringRun = {
    ...madeUpBase(),
    experiment: 'storing',
    plan: {
      variants: [{ name: 'stock' }, { name: 'fix' }],
      codings: ['dcb'],
      sizesBytes: [1024, 1_048_576],
      bodies: ['text'],
      tenBytes: 1024,
      limitBytes: 1_048_576,
      launches: 6,
      seed: 1,
    },
  };
  return { run, readings };
}
