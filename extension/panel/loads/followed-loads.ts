import type { LoadConnection } from './connection.ts';
import { followLoad, type PanelState, type Update } from '../panel-state.ts';

/** Changes come in bursts while a page loads; the panel is drawn anew at most this often, ms. */
const leastMs = 150;

/**
 * Keeps the list of loads as the store has it, and the load on display: while recording, the newest of the inspected
 * page. `tell` is called with what goes wrong.
 */
export function followLoads(
  connection: LoadConnection,
  stateOf: () => PanelState,
  update: Update,
  tell: (error: unknown) => void,
): void {
  const changed = new Set<string>();
  /** A load takes the display once: what the user has opened since, or cleared, stays. */
  let seen: string | undefined;
  /** Until the reading has ended too: of two at a time the older could end last, and put an old state on display. */
  let isUnderway = false;

  async function follow(): Promise<void> {
    const ids = [...changed];
    changed.clear();
    void followAccess();
    const [heads, depth, newest] = await Promise.all([
      connection.heads(),
      connection.depth(),
      connection.newest(),
    ]);
    // What was looked up in the loads that were kept is looked up again in those that are.
    const isOther = heads.length !== stateOf().heads.length || newest !== seen;
    const lookups = isOther ? { history: null, dictionaries: null } : {};
    update((state) => ({ ...state, heads, depth, ...lookups }));
    const { log } = stateOf();
    const wanted = new Set(ids.filter((id) => log.some((load) => load.id === id)));
    if (depth !== null && newest !== undefined && newest !== seen) wanted.add(newest);
    seen = newest;
    for (const id of wanted) {
      const load = await connection.read(id);
      if (load) update(followLoad(load));
    }
  }

  /** Apart, because a page that is busy or has crashed does not answer, and its loads are shown all the same. */
  async function followAccess(): Promise<void> {
    // A page that DevTools cannot ask (its own, an error page) needs no access.
    const url = await connection.urlWithoutAccess().catch(() => null);
    update((state) =>
      state.urlWithoutAccess === url ? state : { ...state, urlWithoutAccess: url },
    );
  }

  const soon = (): void => {
    if (isUnderway) return;
    isUnderway = true;
    setTimeout(() => void follow().catch(tell).finally(followed), leastMs);
  };
  /** What has changed during the reading is read again. */
  const followed = (): void => {
    isUnderway = false;
    if (changed.size > 0) soon();
  };
  connection.onChange((ids) => {
    for (const id of ids) changed.add(id);
    soon();
  });
  soon();
}
