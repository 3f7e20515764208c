import { sleep } from 'zx';
import type { Made } from './made.ts';
import { nbdServers } from '../back-ends/nbd-servers.ts';
import { processesNaming } from './processes-naming.ts';

/** Maximum wait for a command, ms: if it still blocks the undo, the undo reports it. */
const longestWaitMs = 5000;

/**
 * Waits for commands (losetup, mkfs, mount) on paths in our work directories that a killed program left running:
 * otherwise whatever such a command creates after its undo step would stay. Servers are not waited for; the undo ends
 * them.
 */
export async function commandsEnded(made: readonly Made[], limitMs = longestWaitMs): Promise<void> {
  // Other programs may name a file that the user chose on their command line; only paths in work directories count.
  const paths = made.flatMap((each) => (each.kind === 'directory' ? [each.path] : []));
  if (paths.length === 0) return;
  const isUnderWay = () =>
    processesNaming(paths).some(
      ({ pid, program }) => pid !== process.pid && !nbdServers.has(program),
    );
  for (const end = Date.now() + limitMs; isUnderWay() && Date.now() < end;) await sleep(5);
}
