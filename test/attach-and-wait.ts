// Attaches slow storage, reports it, and waits for a SIGKILL: its remains are the input of the cleanup test.
import { setTimeout as wait } from 'node:timers/promises';
import { createPrivilege } from '@cachescope/harness/privilege.ts';
import { attachStorage } from '@cachescope/harness/storage/storage.ts';
import { hangLimitMs } from './hang-limit.ts';

const privilege = createPrivilege({ dryRun: false, say: () => undefined });
const disk = await attachStorage({ kind: 'nbd-delay', delayWrites: false, privilege });
await disk.setDelay(5);
process.stdout.write(`${disk.directory}\n`);
await wait(hangLimitMs);
