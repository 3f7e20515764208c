// Runs an origin under load in its own process, so that its memory and processor time include nothing else.
import { setTimeout as wait } from 'node:timers/promises';
import type { HeldMemory } from '@cachescope/model/reclaim/run.ts';
import { evictionPolicies } from '@cachescope/origin/store/eviction-policies.ts';
import { startReclaimServer } from '@cachescope/origin/reclaim-server.ts';
import { startCpuProfile } from '../../sampling/cpu-profile.ts';
import { startEventLoopProbe } from '../../sampling/event-loop.ts';
import { type OriginAnswer, type OriginOrder, originTaskSchema } from './origin-task.ts';
import { ReclaimLog } from './log.ts';

const task = originTaskSchema.parse(JSON.parse(process.argv[2] ?? ''));
const log = new ReclaimLog();
const server = await startReclaimServer({
  limit: { ...task.limit, entries: task.limit.entries ?? Infinity },
  policy: evictionPolicies[task.policy](),
  reclaimed: (reclaim) => log.add(reclaim, server.store.times()),
});
const eventLoop = startEventLoopProbe();
/** Time for background work after a garbage collection, ms. */
const settleMs = 50;
let profile: Awaited<ReturnType<typeof startCpuProfile>> | null = null;

/** Buffers outside the heap are freed in the background after their owners are collected: hence two rounds. */
async function heldMemory(): Promise<HeldMemory> {
  for (let round = 0; round < 2; round++) {
    globalThis.gc?.();
    await wait(settleMs);
  }
  const { heapUsed, external } = process.memoryUsage();
  return { heapBytes: heapUsed, externalBytes: external };
}

async function answerTo(order: OriginOrder): Promise<OriginAnswer> {
  if (order === 'sample') {
    const { entries, bytes, limit } = server.store;
    return { ...log.take({ entries, bytes }, limit), eventLoop: eventLoop.take() };
  }
  if (order === 'collect') return heldMemory();
  if (order === 'start-profile') {
    profile ??= await startCpuProfile();
    return null;
  }
  const taken = await profile?.stop();
  profile = null;
  return taken ?? null;
}

process.on('message', ({ id, order }: { id: number; order: OriginOrder }) => {
  void answerTo(order).then((answer) => process.send?.({ id, answer }));
});
// This process ends when its parent ends, for whatever reason.
process.on('disconnect', () => process.exit(0));
const { url, secureUrl, publicKeySha256 } = server;
process.send?.({ url, secureUrl, publicKeySha256 });
