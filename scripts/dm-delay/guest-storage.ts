// Runs inside the test machine, as root, with dm-delay in its kernel: tries the storage. Writes its observations; the
// tests outside compare them with the expected values.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { checkMachine } from '@cachescope/harness/environment/checks.ts';
import { createPrivilege } from '@cachescope/harness/privilege.ts';
import { reap } from '@cachescope/harness/storage/journal/reaper.ts';
import { resolveStorageKind } from '@cachescope/harness/storage/storage.ts';
import { runProgram } from './guest-environment.ts';
import { tryBadReads, tryDelayedWrites, tryFlushes, tryLiveChanges } from './disk-trial.ts';
import { type Command, type StorageObservations, writeObservations } from './observations.ts';
import { traces } from './traces.ts';

const [outDirectory = '.'] = process.argv.slice(2);
const say = (line: string) => console.log(`guest: ${line}`);
const privilege = createPrivilege({ dryRun: false, say });

/** A program with a disk is killed; the next start removes its remains. */
async function killHolder(): Promise<StorageObservations['killed']> {
  const hold = join(import.meta.dirname, 'hold.ts');
  const child = spawn(process.execPath, [hold], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');
  const left = traces();
  const failures = await reap(privilege, say);
  return { left, reaped: traces(), failures };
}

/** Only the storage commands: loading all of `cachescope` takes three times as long on this slow processor. */
async function tryCommands(): Promise<Command[]> {
  const storage = (...words: string[]) => runProgram('scripts/dm-delay/storage.ts', words);
  return [
    await storage('up', '--storage', 'dm-delay', '--delay', '5'),
    await storage('set', '20'),
    await storage('status'),
    await storage('down'),
  ];
}

const observations: StorageObservations = {
  chosen: await resolveStorageKind('auto', privilege),
  ...(await tryLiveChanges(privilege)),
  delayedWrites: await tryDelayedWrites(privilege),
  flushes: await tryFlushes(privilege),
  badReads: await tryBadReads(privilege),
  afterDetach: traces(),
  killed: await killHolder(),
  storageCommands: await tryCommands(),
  findings: await checkMachine({ storage: 'dm-delay' }),
  atTheEnd: traces(),
};
writeObservations(outDirectory, observations);
say('observed');
