import type { HeldMemory } from '@cachescope/model/reclaim/run.ts';
import type { EvictionPass } from '@cachescope/model/reclaim/eviction-pass.ts';
import { reclaimPolicies } from '@cachescope/model/reclaim/plan.ts';
import type { EventLoopReading } from '@cachescope/model/reclaim/window.ts';
import * as z from 'zod';
import type { CpuProfile } from '../../sampling/cpu-profile.ts';

/** The task that the origin's process starts with. */
export const originTaskSchema = z.object({
  limit: z.object({
    /** null: no limit. */
    entries: z.number().nullable(),
    bytes: z.number(),
    reclaimRatio: z.number(),
  }),
  policy: z.enum(reclaimPolicies),
});
export type OriginTask = z.infer<typeof originTaskSchema>;

export type OriginOrder = 'sample' | 'collect' | 'start-profile' | 'stop-profile';

/** An eviction pass with the time of the origin's clock. */
export interface OriginEvictionPass extends Omit<EvictionPass, 'kind' | 'sequence' | 'atMs'> {
  /** ms since 1970. */
  epochMs: number;
}

/** The store since the previous sample. */
export interface StoreSample {
  entries: number;
  bytes: number;
  /** Maxima since the previous sample: entries and bytes. */
  mostEntries: number;
  mostBytes: number;
  /** Time above the limit since then, ms; null: it was above for an unknown time. */
  overLimitMs: number | null;
  reclaims: OriginEvictionPass[];
}

export interface OriginSample extends StoreSample {
  eventLoop: EventLoopReading | null;
}

export type OriginAnswer = OriginSample | CpuProfile | HeldMemory | null;
