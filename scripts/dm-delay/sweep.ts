// `cachescope sweep` alone: loading all of `cachescope` takes the test machine's slow processor 1.5 times as long.
import { sweep } from '@cachescope/harness/experiments/sweep/experiment.ts';
import { experimentCommand } from '@cachescope/harness/lab/run-experiment.ts';

await experimentCommand(sweep).parseAsync();
