/** A quantity that the experiment measures, and its words. */
interface StoringMeasure {
  /** Label for display. */
  label: string;
  /** The same for a table of many measures. */
  brief: string;
  /** Unit of the values; `share`: 0 to 1; empty: a count. */
  unit: 'ms' | 'B' | 'share' | '';
  /** Whether lower values are better. */
  better: 'lower' | 'higher';
}

/**
 * The measures, in display order. `other-time` and `memory` are taken while ten responses are loaded at the same time;
 * `entries` in a browser whose cache is limited to the plan's `limitBytes`; `hit-rate` and `replay-entries` with replayed
 * traffic.
 */
export const storingMeasures = {
  'load-time': { label: 'Time of a first load', brief: 'First load', unit: 'ms', better: 'lower' },
  'load-processor': {
    label: 'Processor time of the network service for a first load',
    brief: 'First load CPU',
    unit: 'ms',
    better: 'lower',
  },
  'load-written': {
    label: 'Bytes that the network service writes for a first load',
    brief: 'First load written',
    unit: 'B',
    better: 'lower',
  },
  'hit-time': {
    label: 'Time of a hit, page cache warm',
    brief: 'Hit',
    unit: 'ms',
    better: 'lower',
  },
  'hit-processor': {
    label: 'Processor time of the network service for a hit',
    brief: 'Hit CPU',
    unit: 'ms',
    better: 'lower',
  },
  'other-time': {
    label: 'Time of another request while ten responses are stored',
    brief: 'Other request',
    unit: 'ms',
    better: 'lower',
  },
  memory: {
    label: 'Peak memory of the network service while ten responses are stored',
    brief: 'Memory',
    unit: 'B',
    better: 'lower',
  },
  stored: { label: 'Size of the entry', brief: 'Entry size', unit: 'B', better: 'lower' },
  entries: {
    label: 'Entries that fit into the limited cache',
    brief: 'Entries',
    unit: '',
    better: 'higher',
  },
  'hit-rate': {
    label: 'Hit rate of replayed traffic',
    brief: 'Hit rate',
    unit: 'share',
    better: 'higher',
  },
  'replay-entries': {
    label: 'Entries that the cache holds after replayed traffic',
    brief: 'Replay entries',
    unit: '',
    better: 'higher',
  },
  'miss-time': {
    label: 'Time to find out that an entry is absent, among many',
    brief: 'Miss',
    unit: 'ms',
    better: 'lower',
  },
  'start-time': {
    label: 'Time from the start of the browser to a hit, with many entries',
    brief: 'Start',
    unit: 'ms',
    better: 'lower',
  },
  'clear-time': {
    label: 'Time to empty a cache with many entries',
    brief: 'Clear',
    unit: 'ms',
    better: 'lower',
  },
  'requests-of-2': {
    label: 'Requests of two readers at once',
    brief: 'Requests of 2',
    unit: '',
    better: 'lower',
  },
  'requests-of-10': {
    label: 'Requests of ten readers at once',
    brief: 'Requests of 10',
    unit: '',
    better: 'lower',
  },
} as const satisfies Record<string, StoringMeasure>;

export type StoringMeasureName = keyof typeof storingMeasures;

/** The names of the measures, in display order. */
export const storingMeasureNames = Object.keys(storingMeasures) as StoringMeasureName[];
