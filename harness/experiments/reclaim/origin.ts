import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { HeldMemory } from '@cachescope/model/reclaim/run.ts';
import type { CpuProfile } from '../../sampling/cpu-profile.ts';
import { CachescopeError } from '../../error.ts';
import { withTimeLimit } from '../../time-limit.ts';
import type { OriginAnswer, OriginSample, OriginOrder, OriginTask } from './origin-task.ts';

/** Time limits for the start of the process and for its answers, ms: under load it may answer late. */
const startLimitMs = 60_000;
const answerLimitMs = 30_000;
const endLimitMs = 5_000;

/** An origin under load, in its own process. */
export interface ReclaimOrigin {
  /** HTTP/1.1: `http://127.0.0.1:41234`. */
  url: string;
  /** HTTP/2: `https://localhost:41235`. */
  secureUrl: string;
  /** SHA-256 of the certificate's public key, base64. */
  publicKeySha256: string;
  pid: number;
  /** Rejects when the process ends on its own, and otherwise never settles. */
  failed: Promise<never>;
  sample(): Promise<OriginSample>;
  /** Collects all garbage, which takes time, and returns the memory that remains. */
  collect(): Promise<HeldMemory>;
  /** Starts to profile its thread; does nothing if a profile is running. */
  startProfile(): Promise<void>;
  /** null: no profile was started. */
  stopProfile(): Promise<CpuProfile | null>;
}

interface Started {
  url: string;
  secureUrl: string;
  publicKeySha256: string;
}

/**
 * Starts the origin; `resources` ends it.
 *
 * @throws CachescopeError CS_RECLAIM_ORIGIN when it does not start.
 */
export async function startReclaimOrigin(
  task: OriginTask,
  resources: AsyncDisposableStack,
): Promise<ReclaimOrigin> {
  const program = fileURLToPath(new URL('./origin-process.ts', import.meta.url));
  const child = fork(program, [JSON.stringify(task)], {
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
  const listens = once(child, 'message') as Promise<[Started]>;
  const [started] = await withTimeLimit(
    'Starting the origin',
    startLimitMs,
    Promise.race([listens, failed]),
  );
  const waiting = new Map<number, (answer: OriginAnswer) => void>();
  let orders = 0;
  child.on('message', (message) => {
    const { id, answer } = message as unknown as { id: number; answer: OriginAnswer };
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  const ask = (order: OriginOrder): Promise<OriginAnswer> => {
    const id = orders++;
    const answer = new Promise<OriginAnswer>((resolve, reject) => {
      waiting.set(id, resolve);
      child.send({ id, order }, (error) => error && reject(error));
    });
    return withTimeLimit('Asking the origin', answerLimitMs, Promise.race([answer, failed]));
  };
  return {
    ...started,
    pid: child.pid ?? 0,
    failed,
    sample: async () => (await ask('sample')) as OriginSample,
    collect: async () => (await ask('collect')) as HeldMemory,
    startProfile: async () => void (await ask('start-profile')),
    stopProfile: async () => (await ask('stop-profile')) as CpuProfile | null,
  };
}
