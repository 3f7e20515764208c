/** The package `cachescope/attribution`: the rules that name a cache source, without anything that collects evidence. */
export {
  attribute,
  type CacheSource,
  cacheSources,
} from '@cachescope/model/attribution/cache-source.ts';
export type {
  Evidence,
  HarEvidence,
  NetworkEvidence,
  PageEvidence,
  WebRequestEvidence,
} from '@cachescope/model/attribution/evidence.ts';
export type { ResourceTiming } from '@cachescope/model/attribution/resource-timing.ts';
export type { Attribution, Signal } from '@cachescope/model/run/sample.ts';
