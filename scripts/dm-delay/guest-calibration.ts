// Runs inside the test machine, as root, with dm-delay in its kernel: measures the setup time of storage and the
// accuracy of its delays.
import { createPrivilege } from '@cachescope/harness/privilege.ts';
import { tryStorage } from '../bench/storage-trial.ts';
import { writeObservations } from './observations.ts';

const [outDirectory = '.'] = process.argv.slice(2);
const rounds = 3;
const reads = 16;

const privilege = createPrivilege({ dryRun: false, say: (line) => console.log(`guest: ${line}`) });
writeObservations(outDirectory, await tryStorage('dm-delay', privilege, rounds, reads));
console.log('guest: observed');
