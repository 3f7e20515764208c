import { Worker } from 'node:worker_threads';
import type { ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import type { ReplayedRequest } from '@cachescope/model/reclaim/recorded-request.ts';
import { CachescopeError } from '../../error.ts';
import { openSampler } from '../../sampling/sampler.ts';
import type { Load } from './load.ts';
import { type ReclaimOrigin, startReclaimOrigin } from './origin.ts';
import type { Attack, AttackWindow, ReclaimSystem, SystemSample } from './system.ts';

/** Messages of the generator's thread. */
export type LoadMessage =
  | { kind: 'began'; epochMs: number }
  | { kind: 'window'; window: AttackWindow }
  | { kind: 'done' }
  | { kind: 'failed'; reason: string };

/** Interval at which a stop request is passed to the generator, ms. */
const stopCheckMs = 100;

/** Opens the origin with its store of encoded variants, and a load generator in Node. `resources` closes both. */
export async function openOriginSystem(
  plan: ReclaimPlan,
  replay: readonly ReplayedRequest[],
  resources: AsyncDisposableStack,
): Promise<ReclaimSystem> {
  const { limitEntries, limitBytes, reclaimRatio, policy } = plan;
  const origin = await startReclaimOrigin(
    {
      limit: { entries: limitEntries, bytes: limitBytes, reclaimRatio: reclaimRatio ?? 0 },
      policy: policy ?? 'lrw',
    },
    resources,
  );
  const processes = [
    { type: 'origin', pid: origin.pid },
    { type: 'harness', pid: process.pid },
  ];
  const sampler = openSampler(() => processes, null);
  return {
    attack: (attack) => sendFromThread({ plan, replay, url: origin.url }, origin, attack),
    async sample(epochMs): Promise<SystemSample> {
      const [machine, { reclaims, ...store }] = await Promise.all([
        sampler.take(),
        origin.sample(),
      ]);
      const passes = reclaims.map(({ epochMs: at, ...reclaim }) => ({
        kind: 'reclaim' as const,
        atMs: at - (epochMs ?? at),
        ...reclaim,
      }));
      return { system: { ...machine, ...store }, passes };
    },
    collect: () => origin.collect(),
    profile: {
      start: () => origin.startProfile(),
      stop: () => origin.stopProfile(),
    },
    warnings: () => [],
    chromium: null,
    storage: 'memory of the origin',
  };
}

async function sendFromThread(load: Load, origin: ReclaimOrigin, attack: Attack): Promise<void> {
  const worker = new Worker(new URL('./load-thread.ts', import.meta.url), {
    workerData: load,
  });
  const stopping = setInterval(() => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    if (attack.shouldStop()) worker.postMessage('stop');
  }, stopCheckMs);
  const sent = new Promise<void>((resolve, reject) => {
    const fail = (reason: string) =>
      reject(new CachescopeError('CS_RECLAIM_GENERATOR', `the generator ended: ${reason}`));
    worker.on('message', (message: LoadMessage) => {
      if (message.kind === 'began') attack.began(message.epochMs);
      else if (message.kind === 'window') attack.window(message.window);
      else if (message.kind === 'done') resolve();
      else fail(message.reason);
    });
    worker.once('error', (error: Error) => fail(error.message));
    worker.once('exit', (code) => fail(`exit code ${code}`));
  });
  try {
    await Promise.race([sent, origin.failed]);
  } finally {
    clearInterval(stopping);
    await worker.terminate();
  }
}
