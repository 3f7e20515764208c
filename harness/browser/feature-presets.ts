import type { DiskCacheBackEnd } from '@cachescope/model/run/variant.ts';
import { recompressed } from '@cachescope/model/sweep/recompressed.ts';

/** A named set of Chromium features, for `--features NAME`. To add one, add an entry to the list below. */
export interface FeaturePreset {
  /** As typed on the command line: letters, digits and `-`. */
  name: string;
  /** What it changes, in one line. */
  about: string;
  /** Chromium's tracking bug; null: none is known. */
  bug: string | null;
  /** Names for --enable-features; with `:off` for --disable-features. */
  features?: readonly string[];
  /** The back end that supports it; absent: every one. */
  diskCache?: DiskCacheBackEnd;
  /** Parameter of that back end; `:on` and `:off` set a switch, `:1,3,8` a number (one variant each). */
  parameter?: { name: string; is: 'switch' | 'number' };
}

const sqlBug = 'https://crbug.com/422065015';

function sql(
  name: string,
  parameter: string,
  about: string,
  is: 'switch' | 'number' = 'switch',
): FeaturePreset {
  return { name, about, bug: sqlBug, diskCache: 'sql', parameter: { name: parameter, is } };
}

/** Every preset, in the order shown. Names and defaults: Chromium 156, net/base/features.cc. */
export const featurePresets: readonly FeaturePreset[] = [
  {
    name: 'recompress',
    about: 'dictionary-compressed responses are compressed again before they are stored',
    bug: 'https://crbug.com/406988080',
    features: recompressed.enabledFeatures,
  },
  sql('sql-wal', 'SqlDiskCacheWalMode', 'sql: write-ahead log instead of a rollback journal'),
  sql('sql-synchronous-off', 'SqlDiskCacheSynchronousOff', 'sql: no wait for the disk on commit'),
  sql('sql-load-index', 'SqlDiskCacheLoadIndexOnInit', 'sql: index of keys read at the start'),
  sql('sql-shards', 'SqlDiskCacheShardCount', 'sql: number of databases (3 by default)', 'number'),
  {
    name: 'renderer-accessible',
    about: 'sql: renderers can read cached subresources themselves',
    bug: null,
    features: ['RendererAccessibleHttpCache'],
    diskCache: 'sql',
  },
  {
    name: 'prioritized-caching',
    about: 'simple: main-frame responses are evicted later (on by default)',
    bug: null,
    features: ['SimpleCachePrioritizedCaching'],
  },
  {
    name: 'no-vary-search',
    about: 'a hit may differ in query parameters that No-Vary-Search names (on by default)',
    bug: null,
    features: ['HttpCacheNoVarySearch'],
  },
  {
    name: 'skip-unusable',
    about: 'entries that Cache-Control makes unusable are not opened (on by default)',
    bug: null,
    features: ['HttpCacheSkipUnusableEntry'],
  },
  {
    name: 'split-by-credentials',
    about: 'requests with and without credentials have separate entries',
    bug: null,
    features: ['SplitCacheByIncludeCredentials'],
  },
  {
    name: 'logical-clear',
    about: 'clearing the cache marks entries instead of deleting them first',
    bug: null,
    features: ['LogicalClearHttpCache'],
  },
  {
    name: 'net-task-scheduler',
    about: 'tasks of the network thread run by their priority',
    bug: null,
    features: ['NetTaskScheduler2'],
  },
];

/** The strings that a browser binary must contain to support a preset. */
export function namesNeeded({ features = [], parameter }: FeaturePreset): string[] {
  return [...features, ...(parameter ? [parameter.name, 'DiskCacheBackendExperiment'] : [])];
}
