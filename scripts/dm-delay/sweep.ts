// `cachescope sweep` alone: all of `cachescope` takes the test machine's slow processor half as long again to load.
import { sweep } from '@cachescope/harness/experiments/sweep/experiment.ts';
import { experimentCommand } from '@cachescope/harness/lab/run-experiment.ts';

await experimentCommand(sweep).parseAsync();
