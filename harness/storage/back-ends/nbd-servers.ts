import type { ProcessIdentity } from '../journal/process-identity.ts';
import { processesNaming } from '../journal/processes-naming.ts';

/** They run until they are terminated or their mount is gone. */
export const nbdServers: ReadonlySet<string> = new Set(['nbdfuse', 'nbdkit']);

/** Running nbdfuse and nbdkit processes that serve from a work directory. */
export function nbdServersIn(directory: string): ProcessIdentity[] {
  return processesNaming([directory])
    .filter(({ program }) => nbdServers.has(program))
    .map(({ program: _program, ...identity }) => identity);
}
