import { sleep } from 'zx';
import type { Made } from './journal.ts';
import { nbdServers } from './nbd-servers.ts';
import { processesNaming } from './processes-naming.ts';

/** Longest wait for a command, ms: what stands in its way, undoing will tell. */
const longestWaitMs = 5000;

/** Paths that the commands which make these things, or something on them, have among their words. */
function pathsOf(made: Made): string[] {
  if (made.kind === 'loop') return [made.backingFile];
  return made.kind === 'directory' || made.kind === 'image' ? [made.path] : [];
}

/**
 * Waits for the commands (losetup, mkfs, mount) that a killed program left running: what one of them makes after its turn
 * to be undone would stay. Servers are not waited for; they end when they are undone.
 */
export async function commandsEnded(made: readonly Made[], limitMs = longestWaitMs): Promise<void> {
  const paths = made.flatMap(pathsOf);
  if (paths.length === 0) return;
  const isUnderWay = () =>
    processesNaming(paths).some(
      ({ pid, program }) => pid !== process.pid && !nbdServers.has(program),
    );
  for (const end = Date.now() + limitMs; isUnderWay() && Date.now() < end;) await sleep(5);
}
