// An origin under load, in a process of its own: its memory and its processor time are then nobody else's.
import { evictionPolicies } from '@cachescope/origin/store/eviction-policies.ts';
import { startReclaimServer } from '@cachescope/origin/reclaim-server.ts';
import { startCpuProfile } from '../sampling/cpu-profile.ts';
import { startEventLoopProbe } from '../sampling/event-loop.ts';
import { type OriginAnswer, type OriginOrder, originTaskSchema } from './reclaim-origin-task.ts';
import { ReclaimLog } from './reclaim-log.ts';

const task = originTaskSchema.parse(JSON.parse(process.argv[2] ?? ''));
const log = new ReclaimLog();
const server = await startReclaimServer({
  limit: { ...task.limit, entries: task.limit.entries ?? Infinity },
  policy: evictionPolicies[task.policy](),
  reclaimed: (reclaim) => log.add(reclaim, server.store.times()),
});
const eventLoop = startEventLoopProbe();
let profile: Awaited<ReturnType<typeof startCpuProfile>> | null = null;

async function answerTo(order: OriginOrder): Promise<OriginAnswer> {
  if (order === 'look') {
    const { entries, bytes, limit } = server.store;
    return { ...log.take({ entries, bytes }, limit), eventLoop: eventLoop.take() };
  }
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
