import type { CdpSession } from './session.ts';
import { Watched } from './watch.ts';

export { type CdpSession, WatchError } from './session.ts';
export { assertServed, matchers, type Served, served, type Serving } from './serving.ts';
export type { LoadOptions, Watched } from './watch.ts';
export type { WatchedLoad, WatchedRow } from './watched-load.ts';

/** Watches the page of a bare session of the DevTools protocol, such as chrome-remote-interface's. */
export async function watchSession(session: CdpSession): Promise<Watched> {
  const watched = new Watched(session);
  await watched.begin();
  return watched;
}
