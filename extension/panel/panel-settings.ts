/** Columns of the grid, in order. */
const columnIds = [
  'name',
  'status',
  'type',
  'coding',
  'source',
  'transferred',
  'encoded',
  'decoded',
  'stored',
  'time',
  'method',
  'protocol',
  'domain',
  'initiator',
  'priority',
  'cache-control',
  'etag',
  'age',
  'waterfall',
] as const;
export type ColumnId = (typeof columnIds)[number];

/** Settings that persist between sessions. */
export interface PanelSettings {
  /** Hidden columns; never the name column. */
  hidden: readonly ColumnId[];
  /** Widths set by the user, px. */
  widths: Partial<Record<ColumnId, number>>;
  sort: { column: ColumnId; isDescending: boolean };
  isLogPreserved: boolean;
  drawerPx: number;
}

export const defaultSettings: PanelSettings = {
  hidden: ['method', 'protocol', 'domain', 'initiator', 'priority', 'cache-control', 'etag', 'age'],
  widths: {},
  sort: { column: 'waterfall', isDescending: false },
  isLogPreserved: false,
  drawerPx: 520,
};

/** With the number of the set of columns: an older setting does not know that the newer ones are hidden at first. */
const storageKey = 'panel-settings-2';

/** The saved settings; the default for each one that is missing or invalid. */
export function savedSettings(): PanelSettings {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    return isRecord(saved) ? settingsOf(saved) : defaultSettings;
  } catch {
    // A report opened from a file may have no storage.
    return defaultSettings;
  }
}

function settingsOf(saved: Record<string, unknown>): PanelSettings {
  const { hidden, widths, sort, isLogPreserved, drawerPx } = saved;
  return {
    hidden: Array.isArray(hidden) ? hidden.filter(isColumnId) : defaultSettings.hidden,
    widths: isRecord(widths)
      ? Object.fromEntries(
          Object.entries(widths).filter(([id, px]) => isColumnId(id) && isPixels(px)),
        )
      : {},
    sort:
      isRecord(sort) && isColumnId(sort['column'])
        ? { column: sort['column'], isDescending: sort['isDescending'] === true }
        : defaultSettings.sort,
    isLogPreserved: isLogPreserved === true,
    drawerPx: isPixels(drawerPx) ? drawerPx : defaultSettings.drawerPx,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isColumnId(value: unknown): value is ColumnId {
  return columnIds.some((id) => id === value);
}

function isPixels(value: unknown): value is number {
  return typeof value === 'number' && value >= 24 && value <= 4000;
}

export function saveSettings(settings: PanelSettings): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(settings));
  } catch {
    // The storage is full or forbidden: the settings are not saved.
  }
}
