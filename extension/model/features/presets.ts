import { dictionaryCodings } from '../coding.ts';
import type { DiskCacheBackEnd } from '../run/variant.ts';
import { counted } from '../quantity.ts';
import { type Evidence, histogramEvidence } from './evidence.ts';

/**
 * A named set of Chromium features, for `--features NAME`. To add one, add an entry to the list below; its evidence must
 * have been seen in a run (test/deep/feature-evidence.e2e.test.ts).
 */
export interface FeaturePreset {
  /** As typed on the command line: letters, digits and `-`. */
  name: string;
  /** What it changes, in one line. */
  about: string;
  /** Chromium's tracking bug; null: none is known. */
  bug: string | null;
  evidence: Evidence;
  /** True: the feature is on in a browser as it is, so that the preset switches it off. */
  isOnByDefault?: boolean;
  /** Names for --enable-features; for --disable-features where it is on by default. */
  features?: readonly string[];
  /** The back end that supports it; absent: every one. */
  diskCache?: DiskCacheBackEnd;
  /** Parameter of that back end; a `number` has one variant for each value, `:1,8`. */
  parameter?: { name: string; is: 'switch' | 'number' };
}

/**
 * Chromium recompresses dictionary-compressed responses as Zstandard before it stores them
 * (net/http/cache_body_compressor.cc). Both features are needed; both are off by default.
 */
export const recompressFeatures = ['HttpCacheZstdCompression', 'HttpCacheZstdDecompression'];

/**
 * An entry counts as recompressed when its size is at most this share of its decoded bytes. An entry stored decoded is
 * larger than its decoded bytes.
 */
export const mostStoredShare = 0.9;

const sqlBug = 'https://crbug.com/422065015';

/** Every preset, in the order shown. Its calls are marked as pure: reports that show no preset leave the list out. Names and defaults: Chromium 156, net/base/features.cc. */
export const featurePresets: readonly FeaturePreset[] = [
  {
    name: 'recompress',
    about: 'dictionary-compressed responses are compressed again before they are stored',
    bug: 'https://crbug.com/406988080',
    features: recompressFeatures,
    evidence: {
      what: `the entry of a DCB or DCZ response has at most ${100 * mostStoredShare} % of its decoded bytes`,
      look({ stored }) {
        const known = stored.flatMap(({ arm, storedBytes, decodedBytes }) =>
          storedBytes !== null && dictionaryCodings.includes(arm)
            ? [storedBytes / decodedBytes]
            : [],
        );
        if (known.length === 0)
          return { isShown: false, seen: 'no DCB or DCZ entry of known size was stored' };
        const least = Math.min(...known);
        const seen = `a dictionary-compressed response was stored in ${Math.round(100 * least)} % of its bytes`;
        return { isShown: least <= mostStoredShare, seen };
      },
    },
  },
  {
    name: 'sql-wal',
    about: 'sql: write-ahead log instead of a rollback journal',
    bug: sqlBug,
    diskCache: 'sql',
    parameter: { name: 'SqlDiskCacheWalMode', is: 'switch' },
    evidence: {
      what: 'the headers of the databases sqldb0, sqldb1, … name the write-ahead log',
      look({ databases }) {
        const own = databases.filter(({ isWriteAhead }) => isWriteAhead);
        const seen = `${own.length} of ${counted(databases.length, 'database')} with a write-ahead log`;
        return { isShown: own.length > 0 && own.length === databases.length, seen };
      },
    },
  },
  {
    name: 'sql-load-index',
    about: 'sql: index of keys read at the start',
    bug: sqlBug,
    diskCache: 'sql',
    parameter: { name: 'SqlDiskCacheLoadIndexOnInit', is: 'switch' },
    evidence: /* @__PURE__ */ histogramEvidence(
      'Net.SqlDiskCache.Backend.LoadInMemoryIndexTime',
      'the browser counts loads of the index',
      (count) => count > 0,
    ),
  },
  {
    name: 'sql-shards',
    about: 'sql: number of databases (3 by default)',
    bug: sqlBug,
    diskCache: 'sql',
    parameter: { name: 'SqlDiskCacheShardCount', is: 'number' },
    evidence: {
      what: 'as many databases sqldb0, sqldb1, … exist',
      look({ databases }, setting) {
        const seen = `the cache has ${counted(databases.length, 'database')}`;
        return { isShown: databases.length === Number(setting), seen };
      },
    },
  },
  {
    name: 'no-vary-search',
    about: 'a hit may differ in query parameters that No-Vary-Search names; the preset is off',
    bug: null,
    features: ['HttpCacheNoVarySearch'],
    isOnByDefault: true,
    evidence: /* @__PURE__ */ histogramEvidence(
      'HttpCache.NoVarySearch.LookupTime',
      'the browser counts no look-up of such an entry, which it makes for every request otherwise',
      (count) => count === 0,
    ),
  },
];

/** Features that no run can show to be in effect: they have no preset. */
export const unshowable: Readonly<Record<string, string>> = {
  'renderer-accessible':
    'RendererAccessibleHttpCache keeps nothing of fetch() and of http:, and no renderer of Chromium 156 reads what it keeps',
  'net-task-scheduler': 'NetTaskScheduler2 leaves no trace that a run can read',
  'sql-synchronous-off':
    'SqlDiskCacheSynchronousOff is on by default, and leaves no trace in files',
  'prioritized-caching': 'SimpleCachePrioritizedCaching changes evictions of main frames only',
  'skip-unusable': 'HttpCacheSkipUnusableEntry leaves no trace while every response may be stored',
  'split-by-credentials':
    'SplitCacheByIncludeCredentials changes only the keys of requests without credentials: the entries of a run had the same keys with it',
  'logical-clear':
    'LogicalClearHttpCache changes only a clear of the cache, which no comparison makes',
};

/** The strings that a browser binary must contain to support a preset. */
export function namesNeeded({ features = [], parameter }: FeaturePreset): string[] {
  return [...features, ...(parameter ? [parameter.name, 'DiskCacheBackendExperiment'] : [])];
}
