import { madeUpBase } from '@cachescope/model/fixtures/made-up-base.ts';
import { madeUpLoad, madeUpPage } from '@cachescope/model/fixtures/pageload.ts';
import type { PageloadRun } from '@cachescope/model/pageload/run.ts';
import type { PageCell } from '@cachescope/model/pageload/load.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';

/** A page of two resources in each state, plain and with dictionaries. */
export function pageload(): RunDocument {
  const times: [Partial<PageCell>, number][] = [
    [{}, 100],
    [{ state: 'warm' }, 50],
    [{ state: 'cold' }, 80],
    [{ arm: 'dictionary' }, 100],
    [{ arm: 'dictionary', state: 'cold', storage: 'nbd-delay', delayMs: 5 }, 160],
    [{ state: 'cold', storage: 'nbd-delay', delayMs: 5 }, 120],
  ];
  const pageloads = times
    .flatMap(([cell, ms]) =>
      Array.from({ length: 5 }, (_, pass) =>
        madeUpLoad(cell, {
          loadMs: ms + pass,
          pass,
          ...(cell.storage && {
            device: { reads: 40 + pass, readBytes: 2_000_000, writes: 0, writtenBytes: 0 },
          }),
          ...(pass === 4 && cell.state === 'warm' && { flags: ['origin-touched' as const] }),
        }),
      ),
    )
    .map((load, sequence) => ({ ...load, sequence, launch: sequence }));
  const run: PageloadRun = {
    ...madeUpBase(),
    experiment: 'pageload',
    plan: {
      states: ['empty', 'warm', 'cold'],
      arms: ['plain', 'dictionary'],
      storage: 'nbd-delay',
      delaysMs: [5],
      passes: 5,
      serverDelayMs: 0,
      seed: 1,
      margin: 0.02,
    },
    page: madeUpPage,
    stored: [
      { arm: 'plain', entries: 2, storedBytes: 4000 },
      { arm: 'dictionary', entries: 2, storedBytes: 9000 },
    ],
    notes: ['1 resource of another site is left out.'],
  };
  return { run, pageloads };
}
