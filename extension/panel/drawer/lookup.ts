import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import type { KnownDictionary } from '@cachescope/model/dictionary/use.ts';
import type { Load, LoadHead } from '@cachescope/model/load/load.ts';

/** One use of a URL in a stored load. */
export interface PastUse {
  load: Pick<Load, 'id' | 'url' | 'startedAt'>;
  row: AttributedResource;
}

/** The loads that a lookup searched. A change of any load replaces the list. */
export interface SearchedLoads {
  heads: readonly LoadHead[];
  opened: readonly Load[];
}

/** The uses of a URL in the stored loads, newest first. */
export interface UrlHistory {
  url: string;
  uses: readonly PastUse[];
  loads: SearchedLoads;
  /** Number of loads searched, and number of loads stored. */
  searched: number;
  stored: number;
}

/** The dictionaries that the stored loads offered. */
export interface FoundDictionaries {
  known: readonly KnownDictionary[];
  loads: SearchedLoads;
}
