import {
  type AttributedResource,
  attributeLoad,
} from '@cachescope/model/attribution/attributed-resource.ts';
import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { LabState } from '@cachescope/model/explore/lab.ts';
import type { ResourceChange } from '@cachescope/model/load/comparison.ts';
import type { Load, LoadHead, Resource, ResourceType } from '@cachescope/model/load/load.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';
import type { BodyCost } from './drawer/body-cost.ts';
import { joinLoads } from './loads/joined-load.ts';
import { type StoredAtLoad, withStoredSizes } from './lab/stored-sizes.ts';
import { defaultSettings, type PanelSettings } from './panel-settings.ts';
import type { FoundDictionaries, UrlHistory } from './drawer/lookup.ts';

export const views = ['load', 'compare', 'runs'] as const;
export type View = (typeof views)[number];

export const drawerSections = [
  'source',
  'timing',
  'headers',
  'dictionary',
  'cost',
  'history',
] as const;
export type DrawerSection = (typeof drawerSections)[number];

/** A load with the attribution of each resource. */
export interface ShownLoad {
  load: Load;
  rows: readonly AttributedResource[];
}

/** A time range, ms since the start of the load. Requests of a prerendered document may start earlier. */
export interface TimeSpan {
  fromMs: number;
  toMs: number;
}

/** The state of the filter bar. No chosen type means all types. */
export interface FilterChoice {
  text: string;
  isInverted: boolean;
  types: readonly ResourceType[];
  /** The time chosen in the overview, ms since the start of the load; null: all. */
  range: TimeSpan | null;
}

/** The last known state of the connected lab; `busy` is the action in progress, `problem` the last error. */
export interface LabView {
  state: LabState;
  busy: string;
  problem: string;
}

/** Rows that are collapsed in a low panel. */
const foldedRows = ['filter', 'lab'] as const;
export type FoldedRow = (typeof foldedRows)[number];

/** The panel is drawn from this state alone. */
export interface PanelState {
  view: View;
  /** Whether a page is inspected: the panel is in DevTools. */
  isInspecting: boolean;
  /** Whether the user can open files; false in a report, which shows only its own data. */
  canOpenFiles: boolean;
  /** Stored loads, newest first. */
  heads: readonly LoadHead[];
  /** Loads from files and from the report, in memory. */
  opened: readonly Load[];
  /** Displayed loads: one, or several when the log is preserved. */
  log: readonly Load[];
  /** Whether they are of the inspected page, displayed as they began: only then the next one may be appended. */
  isLogFollowed: boolean;
  /** The displayed loads joined into one. */
  shown: ShownLoad | null;
  /** Sequence number of the selected resource; null: none. */
  selected: number | null;
  isDrawerOpen: boolean;
  drawerSection: DrawerSection;
  filter: FilterChoice;
  /** Scroll position of the grid: first row in view, and number of rows that fit. */
  firstRow: number;
  rowsInView: number;
  before: ShownLoad | null;
  after: ShownLoad | null;
  /** Changes listed in the comparison; null: all. */
  comparedChange: ResourceChange | null;
  run: { document: RunDocument; name: string } | null;
  /** Errors in the last chosen files. */
  problems: readonly string[];
  /** The current or last action; shown in the status bar. */
  message: string;
  /** Evidence depth of the inspected page; null: not watched, so nothing is recorded. */
  depth: EvidenceDepth | null;
  /** URLs whose requests are blocked in the inspected page. */
  blocked: readonly string[];
  /** URL of the inspected page when its site was not granted, so that only DevTools reports it; else null. */
  urlWithoutAccess: string | null;
  lab: LabView | null;
  /** Sizes of the cache's entries, as reported by the lab; null: not requested. */
  stored: StoredAtLoad | null;
  history: UrlHistory | null;
  /** Dictionaries offered by the loads; null: not searched yet. */
  dictionaries: FoundDictionaries | null;
  cost: BodyCost | null;
  isDark: boolean;
  /** Collapsible rows that the user has expanded; they matter only in a low panel. */
  unfolded: ReadonlySet<FoldedRow>;
  /** Width of the panel, px. */
  panelPx: number;
  settings: PanelSettings;
}

export type Change = (state: PanelState) => PanelState;
export type Update = (change: Change) => void;

/** Below this width there is not room for everything, px; the style sheets have the same value. */
export const narrowPx = 640;

const emptied = {
  log: [],
  isLogFollowed: false,
  shown: null,
  selected: null,
  isDrawerOpen: false,
  problems: [],
  message: '',
} as const satisfies Partial<PanelState>;

export const initialState: PanelState = {
  ...emptied,
  view: 'load',
  isInspecting: false,
  canOpenFiles: true,
  heads: [],
  opened: [],
  drawerSection: 'source',
  filter: { text: '', isInverted: false, types: [], range: null },
  firstRow: 0,
  rowsInView: 40,
  before: null,
  after: null,
  comparedChange: null,
  run: null,
  depth: null,
  urlWithoutAccess: null,
  blocked: [],
  lab: null,
  stored: null,
  history: null,
  dictionaries: null,
  cost: null,
  isDark: false,
  unfolded: new Set(),
  panelPx: narrowPx,
  settings: defaultSettings,
};

/** Expands or collapses a row. */
export function fold(row: FoldedRow, isUnfolded: boolean): Change {
  return (state) => {
    const unfolded = new Set(state.unfolded);
    if (isUnfolded) unfolded.add(row);
    else unfolded.delete(row);
    return { ...state, unfolded };
  };
}

/**
 * Displays loads. A load that is already displayed keeps its selected resource when it has grown; one that is pinned is
 * pinned as it is now.
 */
export function showLog(log: readonly Load[]): Change {
  return (state) => {
    const load = joinLoads(log.map((each) => withStoredSizes(each, state.stored)));
    const isSame = state.log[0]?.id === log[0]?.id;
    const placeOf = (sequence = -1): number | null =>
      isSame && load ? placeIn(load, state.shown?.rows[sequence]?.resource) : null;
    const selected = placeOf(state.selected ?? undefined);
    const costAt = placeOf(state.cost?.sequence);
    const shown = load && { load, rows: attributeLoad(load) };
    return {
      ...(shown ? pinnedAs(shown, state) : state),
      log,
      shown,
      selected,
      cost: state.cost && costAt !== null ? { ...state.cost, sequence: costAt } : null,
      isDrawerOpen: state.isDrawerOpen && selected !== null,
      filter: isSame ? state.filter : { ...state.filter, range: null },
    };
  };
}

/** No longer displays a load that the store does not have: its document is known by now, and another load took its place. */
export function withoutLoad(id: string): Change {
  return (state) => {
    const log = state.log.filter((load) => load.id !== id);
    return log.length === state.log.length ? state : showLog(log)(state);
  };
}

/**
 * A resource's number in a load that has grown: a request that is reported late shifts the rows after it, and another
 * witness may know a better start. So of the uses of the URL, it is the one with the nearest start.
 */
function placeIn({ resources }: Load, before: Resource | undefined): number | null {
  if (!before) return null;
  const apart = (each: Resource, field: 'startMs' | 'sequence'): number =>
    Math.abs(each[field] - before[field]);
  const [same] = resources
    .filter(({ url }) => url === before.url)
    .toSorted(
      (one, other) =>
        apart(one, 'startMs') - apart(other, 'startMs') ||
        apart(one, 'sequence') - apart(other, 'sequence'),
    );
  return same?.sequence ?? null;
}

function pinnedAs(shown: ShownLoad, state: PanelState): PanelState {
  const renewed = (pinned: ShownLoad | null) =>
    pinned?.load.id === shown.load.id ? shown : pinned;
  return { ...state, before: renewed(state.before), after: renewed(state.after) };
}

/** A pinned load has grown. While it is displayed alone, it is pinned as displayed. */
export function followPinned(load: Load): Change {
  return (state) => {
    if (state.shown?.load.id === load.id) return state;
    const grown = withStoredSizes(load, state.stored);
    return pinnedAs({ load: grown, rows: attributeLoad(grown) }, state);
  };
}

/** Shows the stored sizes for the displayed load. */
export function showStored(stored: StoredAtLoad): Change {
  return (state) => showLog(state.log)({ ...state, stored });
}

/** Displays one load. */
export function showLoad(load: Load): Change {
  return (state) =>
    showLog([load])({ ...state, isLogFollowed: false, view: 'load', problems: [], message: '' });
}

/**
 * A load of the inspected page has started or grown: it replaces the displayed load, or is appended when the log is
 * preserved. Errors in chosen files stay in view until another load starts.
 */
export function followLoad(load: Load): Change {
  return (state) => {
    const place = state.log.findIndex(({ id }) => id === load.id);
    if (place !== -1) return showLog(state.log.with(place, load))(state);
    const isAppended = state.settings.isLogPreserved && state.isLogFollowed;
    const log = isAppended ? [...state.log, load] : [load];
    return showLog(log)({ ...state, isLogFollowed: true, problems: [] });
  };
}

/** Adds loads from files to the list and displays the first. */
export function openLoads(loads: readonly Load[], message: string): Change {
  const ids = new Set(loads.map(({ id }) => id));
  return (state) => {
    const kept = state.opened.filter(({ id }) => !ids.has(id));
    const opened = [...loads, ...kept];
    const next: PanelState = { ...state, opened, view: 'load', problems: [], message };
    return loads[0] ? showLog([loads[0]])({ ...next, isLogFollowed: false }) : next;
  };
}

export function openRun(document: RunDocument, name: string, message: string): Change {
  return (state) => ({ ...state, view: 'runs', run: { document, name }, problems: [], message });
}

/** Empties the view. Stored loads stay in the list. */
export function clearView(state: PanelState): PanelState {
  return { ...state, ...emptied };
}

export function select(sequence: number | null): Change {
  return (state) => ({ ...state, selected: sequence });
}

export function openDrawer(sequence: number): Change {
  return (state) => ({ ...state, selected: sequence, isDrawerOpen: true });
}

export function closeDrawer(state: PanelState): PanelState {
  return { ...state, isDrawerOpen: false };
}

export function filterBy(choice: Partial<FilterChoice>): Change {
  return (state) => ({ ...state, filter: { ...state.filter, ...choice } });
}

/**
 * Pins the displayed load. The first pinned load is the baseline, the second is compared with it; a third replaces the
 * second. A pinned load is unpinned.
 */
export function pinShown(state: PanelState): PanelState {
  const { shown, before, after } = state;
  if (!shown) return state;
  const { id } = shown.load;
  if (before?.load.id === id) return { ...state, before: after, after: null };
  if (after?.load.id === id) return { ...state, after: null };
  if (!before) return { ...state, before: shown };
  return { ...state, after: shown, view: 'compare' };
}

export function swapPinned(state: PanelState): PanelState {
  return { ...state, before: state.after, after: state.before };
}

export function changeSettings(settings: Partial<PanelSettings>): Change {
  return (state) => ({ ...state, settings: { ...state.settings, ...settings } });
}

/** All loads that can be chosen, those from files first. */
export function allHeads(state: PanelState): LoadHead[] {
  const opened = state.opened.map(({ resources, ...head }) => ({
    ...head,
    resourceCount: resources.length,
  }));
  const ids = new Set(opened.map(({ id }) => id));
  return [...opened, ...state.heads.filter(({ id }) => !ids.has(id))];
}
