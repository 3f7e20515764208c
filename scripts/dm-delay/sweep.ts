// `cachescope sweep` alone: all of `cachescope` takes the test machine's slow processor half as long again to load.
import { sweepCommand } from '@cachescope/harness/commands/sweep.ts';

await sweepCommand().parseAsync();
