import type { LoadConnection } from './connection.ts';
import {
  followLoad,
  followPinned,
  type PanelState,
  type Update,
  withoutLoad,
} from '../panel-state.ts';

/** Changes come in bursts while a page loads; the panel is drawn at most once in this time, ms. */
const leastMs = 150;

/**
 * Keeps the list of loads in sync with the store, the pinned loads, and the displayed load: while recording, the newest of
 * the inspected page. `report` is called with errors.
 */
export function followLoads(
  connection: LoadConnection,
  stateOf: () => PanelState,
  update: Update,
  report: (error: unknown) => void,
): void {
  const changed = new Set<string>();
  /**
   * The newest load and those before it. A load replaces the displayed one only when it begins: one that the user opened
   * since, or a cleared view, stays, also when the newest load is deleted.
   */
  let known: ReadonlySet<string | undefined> = new Set();
  /** Stays true until the read has ended: of two concurrent reads the older could end last and display an old state. */
  let isUnderway = false;

  const isDisplayed = (id: string): boolean => stateOf().log.some((load) => load.id === id);
  const isPinned = (id: string): boolean => {
    const { before, after } = stateOf();
    return [before, after].some((pinned) => pinned?.load.id === id);
  };

  async function follow(): Promise<void> {
    const ids = [...changed];
    changed.clear();
    void followAccess();
    const [heads, newest] = await Promise.all([connection.heads(), connection.newest()]);
    // Last, because the user may choose another depth while the loads are read.
    const depth = await connection.depth();
    update((state) => ({ ...state, heads, depth }));
    const begun = depth !== null && !known.has(newest) ? newest : undefined;
    const at = heads.findIndex(({ id }) => id === newest);
    known = new Set([newest, ...heads.slice(Math.max(0, at)).map(({ id }) => id)]);
    const wanted = new Set(ids.filter((id) => isDisplayed(id) || isPinned(id)));
    if (begun !== undefined) wanted.add(begun);
    for (const id of wanted) {
      const load = await connection.read(id);
      if (!load) {
        update(withoutLoad(id));
        continue;
      }
      // The user may have chosen another load during the read.
      if (id === begun || isDisplayed(id)) update(followLoad(load));
      if (isPinned(id)) update(followPinned(load));
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
