import type { LoadConnection } from './connection.ts';
import { followLoad, type PanelState, type Update } from '../panel-state.ts';

/** Changes come in bursts while a page loads; the panel is drawn at most once in this time, ms. */
const leastMs = 150;

/**
 * Keeps the list of loads in sync with the store, and the displayed load: while recording, the newest of the inspected
 * page. `report` is called with errors.
 */
export function followLoads(
  connection: LoadConnection,
  stateOf: () => PanelState,
  update: Update,
  report: (error: unknown) => void,
): void {
  const changed = new Set<string>();
  /**
   * The newest load replaces the displayed one only once: a load that the user opened since, or a cleared view, stays.
   */
  let seen: string | undefined;
  /** Stays true until the read has ended: of two concurrent reads the older could end last and display an old state. */
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
    update((state) => ({ ...state, heads, depth }));
    const { log } = stateOf();
    const wanted = new Set(ids.filter((id) => log.some((load) => load.id === id)));
    if (depth !== null && newest !== undefined && newest !== seen) wanted.add(newest);
    seen = newest;
    for (const id of wanted) {
      const load = await connection.read(id);
      if (load) update(followLoad(load));
    }
  }

  /** Separate, because a page that is busy or has crashed does not answer, and its loads must be shown anyway. */
  async function followAccess(): Promise<void> {
    // A page that DevTools cannot evaluate in (browser pages, error pages) needs no access.
    const url = await connection.urlWithoutAccess().catch(() => null);
    update((state) =>
      state.urlWithoutAccess === url ? state : { ...state, urlWithoutAccess: url },
    );
  }

  const soon = (): void => {
    if (isUnderway) return;
    isUnderway = true;
    setTimeout(() => void follow().catch(report).finally(followed), leastMs);
  };
  /** Reads again what has changed during the read. */
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
