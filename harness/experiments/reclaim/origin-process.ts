// Runs an origin under load in its own process, so that its memory and processor time include nothing else.
import { setTimeout as wait } from 'node:timers/promises';
import type { ReclaimLimits } from '@cachescope/model/reclaim/plan.ts';
import type { HeldMemory } from '@cachescope/model/reclaim/run.ts';
import { startReclaimServer } from '@cachescope/origin/reclaim-server.ts';
import { evictionPolicies } from '@cachescope/origin/store/eviction-policies.ts';
import { startCpuProfile } from '../../sampling/cpu-profile.ts';
import { startEventLoopProbe } from '../../sampling/event-loop.ts';
import { ReclaimLog } from './log.ts';

const limits = JSON.parse(process.argv[2] ?? '') as ReclaimLimits;
const log = new ReclaimLog();
const server = await startReclaimServer({
  limit: {
    entries: limits.limitEntries ?? Infinity,
    bytes: limits.limitBytes,
    reclaimRatio: limits.reclaimRatio ?? 0,
  },
  policy: evictionPolicies[limits.policy ?? 'lrw'](),
  reclaimed: (reclaim) => log.add(reclaim, server.store.times()),
});
const eventLoop = startEventLoopProbe();
/** Time for background work after a garbage collection, ms. */
const settleMs = 50;
let profile: Awaited<ReturnType<typeof startCpuProfile>> | null = null;

/** What the origin does on request, beside serving. */
const orders = {
  /** The store and the event loop since the previous sample. */
  sample: async () => ({ ...log.take(server.store), eventLoop: eventLoop.take() }),

  /** Buffers outside the heap are freed in the background after their owners are collected: hence two rounds. */
  async collect(): Promise<HeldMemory> {
    for (let round = 0; round < 2; round++) {
      globalThis.gc?.();
      await wait(settleMs);
    }
    const { heapUsed, external } = process.memoryUsage();
    return { heapBytes: heapUsed, externalBytes: external };
  },

  async startProfile() {
    profile ??= await startCpuProfile();
  },

  async stopProfile() {
    const taken = await profile?.stop();
    profile = null;
    return taken ?? null;
  },
};
export type OriginOrders = typeof orders;

process.on('message', ({ id, order }: { id: number; order: keyof OriginOrders }) => {
  void orders[order]().then((answer) => process.send?.({ id, answer }));
});
// This process ends when its parent ends, for whatever reason.
process.on('disconnect', () => process.exit(0));
const { url, secureUrl, publicKeySha256 } = server;
process.send?.({ url, secureUrl, publicKeySha256 });
