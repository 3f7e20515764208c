import {
  type AttributedResource,
  attributeLoad,
} from '@cachescope/model/attribution/attributed-resource.ts';
import type { KnownDictionary } from '@cachescope/model/dictionary/use.ts';
import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { LabState } from '@cachescope/model/explore/lab.ts';
import type { ResourceChange } from '@cachescope/model/load/comparison.ts';
import type { Load, LoadHead, ResourceType } from '@cachescope/model/load/load.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';
import type { BodyCost } from './drawer/body-cost.ts';
import { joinLoads } from './loads/joined-load.ts';
import { type StoredAtLoad, withStoredSizes } from './lab/stored-sizes.ts';
import { defaultSettings, type PanelSettings } from './panel-settings.ts';
import type { UrlHistory } from './drawer/url-history.ts';

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

/** A load with the verdict of each of its resources. */
export interface ShownLoad {
  load: Load;
  rows: readonly AttributedResource[];
}

/** What the filter bar asks for. No type chosen means all. */
export interface FilterChoice {
  text: string;
  isInverted: boolean;
  types: readonly ResourceType[];
}

/** The connected lab, as last told; `busy` names what it is doing, `problem` what went wrong. */
export interface LabView {
  state: LabState;
  busy: string;
  problem: string;
}

/** Rows that a low panel folds away. */
export const foldedRows = ['filter', 'lab'] as const;
export type FoldedRow = (typeof foldedRows)[number];

/** Everything the panel shows is drawn from this, and from nothing else. */
export interface PanelState {
  view: View;
  /** A page is inspected: the panel stands in DevTools. */
  isInspecting: boolean;
  /** The user can open files; not in a report, which shows what it carries. */
  canOpenFiles: boolean;
  /** Stored loads, newest first. */
  heads: readonly LoadHead[];
  /** Loads from files and from the report, held in memory. */
  opened: readonly Load[];
  /** Loads on display: one, or several when the log is preserved. */
  log: readonly Load[];
  /** Those loads as one. */
  shown: ShownLoad | null;
  /** Position of the selected resource in its load; null: none. */
  selected: number | null;
  isDrawerOpen: boolean;
  drawerSection: DrawerSection;
  filter: FilterChoice;
  /** Where the grid is scrolled to: first row in view, and how many fit. */
  firstRow: number;
  rowsInView: number;
  before: ShownLoad | null;
  after: ShownLoad | null;
  /** Which changes the comparison lists; null: all. */
  comparedChange: ResourceChange | null;
  run: { document: RunDocument; name: string } | null;
  /** What is wrong with the files chosen last. */
  problems: readonly string[];
  /** What is being done, or was done last; shown in the status bar. */
  message: string;
  /** How closely the inspected page is watched; null: not at all, so nothing is recorded. */
  depth: EvidenceDepth | null;
  /** The inspected page, when its site was not granted: only DevTools tells of it then. */
  urlWithoutAccess: string | null;
  lab: LabView | null;
  /** What the cache on disk held, as the lab told; null: not asked. */
  stored: StoredAtLoad | null;
  history: UrlHistory | null;
  /** Dictionaries that the loads offered; null: not looked for. */
  dictionaries: readonly KnownDictionary[] | null;
  cost: BodyCost | null;
  isDark: boolean;
  /** Rows that a low panel hides until their button is pressed; a higher one shows them always. */
  unfolded: ReadonlySet<FoldedRow>;
  /** Width of the panel, px. */
  panelPx: number;
  settings: PanelSettings;
}

export type Change = (state: PanelState) => PanelState;
export type Update = (change: Change) => void;

/** A panel of less has no room for everything, px; the style sheets have it too. */
export const narrowPx = 640;

export const initialState: PanelState = {
  view: 'load',
  isInspecting: false,
  canOpenFiles: true,
  heads: [],
  opened: [],
  log: [],
  shown: null,
  selected: null,
  isDrawerOpen: false,
  drawerSection: 'source',
  filter: { text: '', isInverted: false, types: [] },
  firstRow: 0,
  rowsInView: 40,
  before: null,
  after: null,
  comparedChange: null,
  run: null,
  problems: [],
  message: '',
  depth: null,
  urlWithoutAccess: null,
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

/** Unfolds a row, or folds it again. */
export function fold(row: FoldedRow, isUnfolded: boolean): Change {
  return (state) => {
    const unfolded = new Set(state.unfolded);
    if (isUnfolded) unfolded.add(row);
    else unfolded.delete(row);
    return { ...state, unfolded };
  };
}

/** Puts loads on display. What is on display already, grown, keeps its selection. */
export function showLog(log: readonly Load[]): Change {
  return (state) => {
    const load = joinLoads(log.map((each) => withStoredSizes(each, state.stored)));
    const isSame = state.log[0]?.id === log[0]?.id;
    return {
      ...state,
      log,
      shown: load && { load, rows: attributeLoad(load) },
      problems: [],
      ...(isSame ? {} : { selected: null, isDrawerOpen: false }),
    };
  };
}

/** Shows what the cache holds of the load on display. */
export function showStored(stored: StoredAtLoad): Change {
  return (state) => showLog(state.log)({ ...state, stored });
}

/** Puts one load on display. */
export function showLoad(load: Load): Change {
  return (state) => showLog([load])({ ...state, view: 'load', message: '' });
}

/** A load of the inspected page has begun or grown: it takes the display, or follows what stands there. */
export function followLoad(load: Load): Change {
  return (state) => {
    const place = state.log.findIndex(({ id }) => id === load.id);
    if (place !== -1) return showLog(state.log.with(place, load))(state);
    return showLog(state.settings.isLogPreserved ? [...state.log, load] : [load])(state);
  };
}

/** Adds loads from files to the list and shows the first. */
export function openLoads(loads: readonly Load[], message: string): Change {
  const ids = new Set(loads.map(({ id }) => id));
  return (state) => {
    const kept = state.opened.filter(({ id }) => !ids.has(id));
    const next: PanelState = { ...state, opened: [...loads, ...kept], view: 'load', message };
    return loads[0] ? showLog([loads[0]])(next) : next;
  };
}

export function openRun(document: RunDocument, name: string, message: string): Change {
  return (state) => ({ ...state, view: 'runs', run: { document, name }, problems: [], message });
}

/** Empties the view. Stored loads stay in the list. */
export function clearView(state: PanelState): PanelState {
  return {
    ...state,
    log: [],
    shown: null,
    selected: null,
    isDrawerOpen: false,
    problems: [],
    message: '',
  };
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

/** Pins the load on display: the first is what the second is compared with; a third takes the second's place. */
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

/** Every load that can be chosen, opened ones first. */
export function allHeads(state: PanelState): LoadHead[] {
  const opened = state.opened.map(({ resources, ...head }) => ({
    ...head,
    resourceCount: resources.length,
  }));
  const ids = new Set(opened.map(({ id }) => id));
  return [...opened, ...state.heads.filter(({ id }) => !ids.has(id))];
}
