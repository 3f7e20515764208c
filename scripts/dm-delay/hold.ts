// Holds slow storage on dm-delay until it is killed: its remains are the input of the cleanup test.
import { setTimeout as wait } from 'node:timers/promises';
import { createPrivilege } from '@cachescope/harness/privilege.ts';
import { attachStorage } from '@cachescope/harness/storage/storage.ts';

const privilege = createPrivilege({ dryRun: false, say: () => undefined });
const disk = await attachStorage({ kind: 'dm-delay', delayWrites: false, privilege });
await disk.setDelay(20);
process.stdout.write(`${disk.directory}\n`);
await wait(600_000);
