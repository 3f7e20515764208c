import type { FillLine, FillRun } from '@cachescope/model/fill/run.ts';
import type { RunSession } from '../../lab/run-session.ts';
import type { FillFound } from './needs.ts';
import { type ReaderServer, startReaderServer } from './reader-server.ts';
import { type FillOrigin, startFillOrigin } from './server.ts';

/** The session of a run of concurrent fills. */
export type FillSession = RunSession<FillRun, FillLine, FillFound>;

/** The resources that every system uses during a run. */
export interface FillLab {
  session: FillSession;
  origin: FillOrigin;
  readers: ReaderServer;
}

/** Starts the servers of a run, and the run. */
export async function openLab(session: FillSession): Promise<FillLab> {
  const { found, resources, link } = session;
  const { plan, nginx, browserPath, unavailable } = found;
  const origin = await startFillOrigin(link.end);
  resources.defer(() => origin.close());
  const readers = await startReaderServer();
  resources.defer(() => readers.close());
  await link.serve(readers.server);
  // Its version and flags are known after its first launch.
  const chromium = { version: 'not used', path: browserPath ?? '', flags: [] };
  const storage = 'ordinary storage, the temporary directory';
  const versions = { own: nginx.own?.version ?? null, patched: nginx.patched?.version ?? null };
  await session.begin(
    { chromium, storage, timerStepMs: null },
    { plan, unavailable, nginx: versions },
  );
  return { session, origin, readers };
}
