// npm run test:dm-delay: boots a machine whose kernel has dm-delay, and tests there, because this computer's kernel may
// lack it. Ends with 77 and the reason when no such machine runs.
import { spawnSync } from 'node:child_process';
import { createPrivilege } from '@cachescope/harness/privilege.ts';
import { projectDirectory } from './guest-environment.ts';
import { findMachine } from './find-machine.ts';

const skipped = 77;
const testFile = 'test/deep/dm-delay.e2e.test.ts';

if (process.argv.length > 2) {
  console.error(
    'npm run test:dm-delay takes no options. It boots a machine whose kernel has dm-delay, and tests there.',
  );
  process.exit(2);
}

const say = (line: string) => console.error(line);
const machine = await findMachine(createPrivilege({ dryRun: false, say }), say);
if ('lacking' in machine) {
  console.log(`Skipped: no machine with dm-delay can be booted here (${machine.lacking})`);
  process.exit(skipped);
}
const args = ['run', '--project', 'deep', testFile];
const { status } = spawnSync('vitest', args, { stdio: 'inherit', cwd: projectDirectory });
process.exit(status ?? 1);
