import type { HeldMemory } from '@cachescope/model/reclaim/held.ts';
import type { ReclaimMoment } from '@cachescope/model/reclaim/moment.ts';
import { reclaimPolicies } from '@cachescope/model/reclaim/plan.ts';
import type { EventLoopReading } from '@cachescope/model/reclaim/window.ts';
import * as z from 'zod';
import type { CpuProfile } from '../../sampling/cpu-profile.ts';

/** What the origin's process is started with. */
export const originTaskSchema = z.object({
  limit: z.object({
    /** null: without limit. */
    entries: z.number().nullable(),
    bytes: z.number(),
    reclaimRatio: z.number(),
  }),
  policy: z.enum(reclaimPolicies),
});
export type OriginTask = z.infer<typeof originTaskSchema>;

export type OriginOrder = 'look' | 'collect' | 'start-profile' | 'stop-profile';

/** A reclaim on the origin's own clock. */
export interface OriginReclaim extends Omit<ReclaimMoment, 'kind' | 'sequence' | 'atMs'> {
  /** ms since 1970. */
  epochMs: number;
}

/** The store since the look before. */
export interface StoreLook {
  entries: number;
  bytes: number;
  /** The most that it held since then. */
  mostEntries: number;
  mostBytes: number;
  /** ms since then above the limit; null when it was above, and nobody knows for how long. */
  overLimitMs: number | null;
  reclaims: OriginReclaim[];
}

export interface OriginLook extends StoreLook {
  eventLoop: EventLoopReading | null;
}

export type OriginAnswer = OriginLook | CpuProfile | HeldMemory | null;
