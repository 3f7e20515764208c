import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import type { Load } from '@cachescope/model/load/load.ts';

/** One use of a URL in a stored load. */
export interface PastUse {
  load: Pick<Load, 'id' | 'url' | 'startedAt'>;
  row: AttributedResource;
}

/** The uses of a URL in the stored loads, newest first; null while they are looked up. */
export interface UrlHistory {
  url: string;
  uses: readonly PastUse[] | null;
  /** Number of loads searched, and number of loads stored. */
  searched: number;
  stored: number;
}
