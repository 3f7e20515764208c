import type { ReclaimPolicy } from '@cachescope/model/reclaim/plan.ts';
import type { EvictionPolicy } from './eviction-policy.ts';
import { leastRecentlyUsed } from './lru.ts';
import { leastRecentlyWritten } from './lrw.ts';
import { s3Fifo } from './s3-fifo.ts';

/** Constructors of the policies: one file each in this folder, one line each here. */
export const evictionPolicies: Readonly<Record<ReclaimPolicy, () => EvictionPolicy>> = {
  lrw: leastRecentlyWritten,
  lru: leastRecentlyUsed,
  's3-fifo': s3Fifo,
};
