// Attaches slow storage, says so, and waits to be killed: what the reaper finds after a SIGKILL.
import { setTimeout as wait } from 'node:timers/promises';
import { createPrivilege } from '@cachescope/harness/privilege.ts';
import { attachStorage } from '@cachescope/harness/storage/storage.ts';
import { hangLimitMs } from './hang-limit.ts';

const privilege = createPrivilege({ dryRun: false, say: () => undefined });
const disk = await attachStorage({ kind: 'nbd-delay', delayWrites: false, privilege });
await disk.setDelay(5);
process.stdout.write(`${disk.directory}\n`);
await wait(hangLimitMs);
