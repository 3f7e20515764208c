import { explainedSweep } from '@cachescope/model/fixtures/explain.ts';
import { madeUpExplore } from '@cachescope/model/fixtures/made-up-explore.ts';
import { madeUpMachines } from '@cachescope/model/fixtures/made-up-machines.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { madeUpTraced } from '@cachescope/model/fixtures/made-up-traced.ts';
import type { Experiment, RunDocument } from '@cachescope/model/run/run.ts';
import { cellOf, compared, smallSweep, withProfile } from './runs/sweep.ts';
import { micro } from './runs/micro.ts';
import { pageload } from './runs/pageload.ts';
import { fill } from './runs/fill.ts';
import { transfer } from './runs/transfer.ts';
import { reclaim } from './runs/reclaim.ts';
import { storing } from './runs/storing.ts';
import { judge } from './runs/judge.ts';

/** Small generated runs, one or more of every experiment, that fill each of its outputs. Not measured. */
export const runs: Readonly<
  Record<Experiment | 'explain' | 'machines' | 'profile', () => RunDocument>
> = {
  sweep: () => ({
    ...smallSweep(madeUpRun(6, [], true)),
    traced: [madeUpTraced('br', 0, 2), madeUpTraced('br', 5, 3), madeUpTraced('dcb', 5, 9)],
  }),
  profile: () => withProfile(smallSweep(madeUpRun(20))),
  machines: () => smallSweep(madeUpMachines(3)),
  explain: () => ({
    ...explainedSweep({ delaysMs: [0, 5, 20], sizes: [1_048_576] }),
    traced: [
      madeUpTraced('br', 5, 5, { cell: cellOf('br') }),
      madeUpTraced('dcb', 5, 11, { cell: cellOf('dcb') }),
    ],
  }),
  explore: madeUpExplore,
  comparison: compared,
  micro,
  pageload,
  fill,
  transfer,
  reclaim,
  storing,
  judge,
};
