import type { Load } from '@cachescope/model/load/load.ts';
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
/** While changes go on, the panel rests for as long as it worked, at most this long, ms: the page needs the processor. */
const longestRestMs = 1000;

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
    const newest = await connection.newest();
    const wanted = new Set(ids.filter((id) => isDisplayed(id) || isPinned(id)));
    if (newest !== undefined && !known.has(newest)) wanted.add(newest);
    const reads = new Map<string, Load | null>();
    for (const id of wanted) reads.set(id, await connection.read(id));
    // After the loads: a load that was read is not joined again for its head.
    const heads = await connection.heads();
    // Last, because the user may choose another depth while the loads are read.
    const depth = await connection.depth();
    update((state) => ({ ...state, heads, depth }));
    const begun = depth !== null && !known.has(newest) ? newest : undefined;
    const at = heads.findIndex(({ id }) => id === newest);
    known = new Set([newest, ...heads.slice(Math.max(0, at)).map(({ id }) => id)]);
    for (const [id, load] of reads) {
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

  const soon = (restMs = leastMs): void => {
    if (isUnderway) return;
    isUnderway = true;
    setTimeout(() => void followOnce(), restMs);
  };
  const followOnce = async (): Promise<void> => {
    const beganMs = performance.now();
    await follow().catch(report);
    isUnderway = false;
    const tookMs = performance.now() - beganMs;
    // Reads again what has changed during the read.
    if (changed.size > 0) soon(Math.min(Math.max(leastMs, tookMs), longestRestMs));
  };
  connection.onChange((ids) => {
    for (const id of ids) changed.add(id);
    soon();
  });
  soon();
}
