// An origin under load, in a process of its own: its memory and its processor time are then nobody else's.
import { setTimeout as wait } from 'node:timers/promises';
import type { HeldMemory } from '@cachescope/model/reclaim/held.ts';
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
/** How long the background is given, ms. */
const settleMs = 50;
let profile: Awaited<ReturnType<typeof startCpuProfile>> | null = null;

/** Buffers outside of the heap go in the background, once their owners have gone: hence twice. */
async function heldMemory(): Promise<HeldMemory> {
  for (let round = 0; round < 2; round++) {
    globalThis.gc?.();
    await wait(settleMs);
  }
  const { heapUsed, external } = process.memoryUsage();
  return { heapBytes: heapUsed, externalBytes: external };
}

async function answerTo(order: OriginOrder): Promise<OriginAnswer> {
  if (order === 'look') {
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
// However the program behind it ends, this one does.
process.on('disconnect', () => process.exit(0));
const { url, secureUrl, publicKeySha256 } = server;
process.send?.({ url, secureUrl, publicKeySha256 });
