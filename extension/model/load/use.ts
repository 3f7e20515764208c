import type { EvidenceDepth } from '../attribution/evidence.ts';
import type { Observation } from './observation.ts';

/** One use of a resource, with each witness's observation. */
export interface Use {
  /** Observation of the witness with the best clock: the page's entry if there is one. */
  first: Observation;
  byWitness: Partial<Record<EvidenceDepth, Observation>>;
  /** Witnesses that saw a request for this URL that could not be paired with certainty: it may belong to this use. */
  doubtful: Set<EvidenceDepth>;
}
