import { sleep } from 'zx';
import type { Made } from './made.ts';
import { nbdServers } from '../back-ends/nbd-servers.ts';
import { processesNaming } from './processes-naming.ts';

/** Longest wait for a command, ms: what stands in its way, undoing will tell. */
const longestWaitMs = 5000;

/**
 * Waits for the commands (losetup, mkfs, mount) on something in our work directories that a killed program left running:
 * what one of them makes after its turn to be undone would stay. Servers are not waited for; they end when they are undone.
 */
export async function commandsEnded(made: readonly Made[], limitMs = longestWaitMs): Promise<void> {
  // Of a file that the user named, the programs that were told of it are not commands of ours.
  const paths = made.flatMap((each) => (each.kind === 'directory' ? [each.path] : []));
  if (paths.length === 0) return;
  const isUnderWay = () =>
    processesNaming(paths).some(
      ({ pid, program }) => pid !== process.pid && !nbdServers.has(program),
    );
  for (const end = Date.now() + limitMs; isUnderWay() && Date.now() < end;) await sleep(5);
}
