import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ReclaimLimits } from '@cachescope/model/reclaim/plan.ts';
import type { ReclaimServer } from '@cachescope/origin/reclaim-server.ts';
import { CachescopeError } from '../../error.ts';
import { withTimeLimit } from '../../time-limit.ts';
import type { OriginOrders } from './origin-process.ts';

/** Time limits for the start of the process and for its answers, ms: under load it may answer late. */
const startLimitMs = 60_000;
const answerLimitMs = 30_000;
const endLimitMs = 5_000;

type Addresses = Pick<ReclaimServer, 'url' | 'secureUrl' | 'publicKeySha256'>;

/** An origin under load, in its own process. */
export interface ReclaimOrigin extends Addresses, Pick<OriginOrders, 'sample' | 'collect'> {
  pid: number;
  /** Rejects when the process ends on its own, and otherwise never settles. */
  failed: Promise<never>;
  /** Profiles its thread; `stop` gives null when no profile was started. */
  profile: { start: OriginOrders['startProfile']; stop: OriginOrders['stopProfile'] };
}

/**
 * Starts an origin whose store has these limits; `resources` ends it.
 *
 * @throws CachescopeError CS_RECLAIM_ORIGIN when it does not start.
 */
export async function startReclaimOrigin(
  { limitEntries, limitBytes, reclaimRatio, policy }: ReclaimLimits,
  resources: AsyncDisposableStack,
): Promise<ReclaimOrigin> {
  const program = fileURLToPath(new URL('./origin-process.ts', import.meta.url));
  const limits: ReclaimLimits = { limitEntries, limitBytes, reclaimRatio, policy };
  const child = fork(program, [JSON.stringify(limits)], {
    // In its own process group: Ctrl-C in a terminal first lets the load end.
    detached: true,
    execArgv: [...process.execArgv, '--expose-gc'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)));
  const exited = once(child, 'exit');
  const failed = exited.then(([code, signal]) => {
    const how = signal === null ? `exit code ${String(code)}` : String(signal);
    throw new CachescopeError('CS_RECLAIM_ORIGIN', `the origin ended: ${how}. ${said.trim()}`);
  });
  // Callers that await it get the rejection; a rejection that nobody awaits yet is not an error.
  failed.catch(() => undefined);
  resources.defer(async () => {
    if (child.connected) child.disconnect();
    await withTimeLimit('Ending the origin', endLimitMs, exited).catch(() => child.kill('SIGKILL'));
  });
  const listens = once(child, 'message') as Promise<[Addresses]>;
  const [addresses] = await withTimeLimit(
    'Starting the origin',
    startLimitMs,
    Promise.race([listens, failed]),
  );
  const waiting = new Map<number, (answer: unknown) => void>();
  let orders = 0;
  child.on('message', (message) => {
    const { id, answer } = message as { id: number; answer: unknown };
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  const ask = <Order extends keyof OriginOrders>(order: Order) => {
    type Answer = Awaited<ReturnType<OriginOrders[Order]>>;
    const id = orders++;
    const answer = new Promise<Answer>((resolve, reject) => {
      waiting.set(id, resolve as (answer: unknown) => void);
      child.send({ id, order }, (error) => error && reject(error));
    });
    return withTimeLimit('Asking the origin', answerLimitMs, Promise.race([answer, failed]));
  };
  return {
    ...addresses,
    pid: child.pid ?? 0,
    failed,
    sample: () => ask('sample'),
    collect: () => ask('collect'),
    profile: { start: () => ask('startProfile'), stop: () => ask('stopProfile') },
  };
}
