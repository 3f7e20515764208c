import { Worker } from 'node:worker_threads';
import type { ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import type { ReplayedRequest } from '@cachescope/model/reclaim/recorded-request.ts';
import { CachescopeError } from '../../error.ts';
import { openSampler } from '../../sampling/sampler.ts';
import type { Load } from './load.ts';
import { type ReclaimOrigin, startReclaimOrigin } from './origin.ts';
import type { Attack, AttackWindow, ReclaimSystem } from './system.ts';

/** Messages of the generator's thread. It ends when the load is over. */
export type LoadMessage =
  | { kind: 'began'; epochMs: number }
  | { kind: 'window'; window: AttackWindow };

/** Interval at which a stop request is passed to the generator, ms. */
const stopCheckMs = 100;

/** Opens the origin with its store of encoded variants, and a load generator in Node. `resources` closes both. */
export async function openOriginSystem(
  plan: ReclaimPlan,
  replay: readonly ReplayedRequest[],
  resources: AsyncDisposableStack,
): Promise<ReclaimSystem> {
  const origin = await startReclaimOrigin(plan, resources);
  const processes = [
    { type: 'origin', pid: origin.pid },
    { type: 'harness', pid: process.pid },
  ];
  const sampler = openSampler(() => processes, null);
  return {
    attack: (attack) => sendFromThread({ plan, replay, url: origin.url }, origin, attack),
    async sample(beganAt) {
      const [machine, { reclaims, ...store }] = await Promise.all([
        sampler.take(),
        origin.sample(),
      ]);
      const passes = reclaims.map(({ epochMs, ...reclaim }) => ({
        kind: 'reclaim' as const,
        atMs: epochMs - (beganAt ?? epochMs),
        ...reclaim,
      }));
      return { system: { ...machine, ...store }, passes };
    },
    collect: origin.collect,
    profile: origin.profile,
    warnings: () => [],
    chromium: { version: 'not used', path: '', flags: [] },
    storage: 'memory of the origin',
  };
}

async function sendFromThread(load: Load, origin: ReclaimOrigin, attack: Attack): Promise<void> {
  const worker = new Worker(new URL('./load-thread.ts', import.meta.url), { workerData: load });
  const stopping = setInterval(() => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    if (attack.shouldStop()) worker.postMessage('stop');
  }, stopCheckMs);
  const sent = new Promise<void>((resolve, reject) => {
    const fail = (reason: string) =>
      reject(new CachescopeError('CS_RECLAIM_GENERATOR', `the generator ended: ${reason}`));
    worker.on('message', (message: LoadMessage) => {
      if (message.kind === 'began') attack.began(message.epochMs);
      else attack.window(message.window);
    });
    worker.once('error', (error: Error) => fail(error.message));
    worker.once('exit', (code) => (code === 0 ? resolve() : fail(`exit code ${code}`)));
  });
  try {
    await Promise.race([sent, origin.failed]);
  } finally {
    clearInterval(stopping);
    await worker.terminate();
  }
}
