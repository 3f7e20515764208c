import type { EvidenceDepth } from '../attribution/evidence.ts';
import type { Observation } from './observation.ts';

/** One use of a resource, with what each witness told of it. */
export interface Use {
  /** The witness with the best clock: the page's entry where there is one. */
  first: Observation;
  told: Partial<Record<EvidenceDepth, Observation>>;
  /** Witnesses that saw a request for this URL which could not be paired for sure: it may be this one's. */
  doubtful: Set<EvidenceDepth>;
}
