import { Agent, get, type IncomingMessage } from 'node:http';
import type { FillFlag, FillRequest } from '@cachescope/model/fill/trial.ts';
import { StreamContent } from '@cachescope/origin/routes/stream-content.ts';
import { type StreamPace, streamPath } from '@cachescope/origin/routes/stream.ts';

/** What the readers of one trial do: each asks for file 0, 1, 2 and so on until the time is over. */
export interface FillTask {
  /** Where they ask, for example `http://127.0.0.1:8042`. */
  base: string;
  /** Begins the name of each file; no other trial has it, so no cache holds any. */
  prefix: string;
  pace: Pick<StreamPace, 'seed' | 'bytes' | 'durationMs' | 'chunkHz'>;
  workers: number;
  timeMs: number;
  /** True when no more requests are to be begun. */
  shouldStop: () => boolean;
  /** Ends every reader at once, with what it has got so far. Default: never. */
  signal?: AbortSignal;
}

/** What the readers saw. */
export interface FillReading {
  requests: FillRequest[];
  /** From the first request to the end of the last, ms. */
  clientMs: number;
}

/** A connection that brings nothing for so long is given up, ms. */
const idleLimitMs = 60_000;
/** Pause after a request that failed at once, ms: a cache that is gone must not be asked a thousand times a second. */
const failurePauseMs = 100;

/** Name of a file of a trial. */
export function fileName(prefix: string, file: number): string {
  return `${prefix}-file-${file}`;
}

/**
 * Reads with as many workers at the same time as the task says. With node:http, whose readers take less of the processor
 * than those of fetch(): 100 at 5 MiB a second kept it busy for 60 % of the time, where fetch() took all and fell behind.
 */
export async function readAll(task: FillTask): Promise<FillReading> {
  const agent = new Agent({ keepAlive: true });
  const beganAt = performance.now();
  const requests: FillRequest[] = [];
  const isOver = () =>
    performance.now() - beganAt >= task.timeMs || task.shouldStop() || task.signal?.aborted;
  const work = async (worker: number) => {
    // Every reader asks for the first file, however long it takes to start them all.
    for (let file = 0; file === 0 || !isOver(); file++) {
      const request = await readOne(task, agent, beganAt, { worker, file });
      requests.push(request);
      if (request.flag === 'failed') await new Promise((go) => setTimeout(go, failurePauseMs));
    }
  };
  try {
    await Promise.all(Array.from({ length: task.workers }, (_, worker) => work(worker)));
  } finally {
    agent.destroy();
  }
  return { requests, clientMs: performance.now() - beganAt };
}

/** Reads one file and checks every byte of it as it comes. Never rejects: a failure is a flag. */
function readOne(
  task: FillTask,
  agent: Agent,
  beganAt: number,
  { worker, file }: Pick<FillRequest, 'worker' | 'file'>,
): Promise<FillRequest> {
  const name = fileName(task.prefix, file);
  const body = new ReadBody(new StreamContent(task.pace.seed, name));
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const done = (flag: FillFlag | null, answer?: IncomingMessage) => {
      const status = cacheStatusOf(answer);
      resolve({
        worker,
        file,
        startMs: startedAt - beganAt,
        durationMs: performance.now() - startedAt,
        ...body.measures,
        ...(status !== undefined && { cacheStatus: status }),
        ...(flag && { flag }),
      });
    };
    const { signal } = task;
    const url = task.base + streamPath(name, task.pace);
    const request = get(url, { agent, timeout: idleLimitMs, signal }, (answer) => {
      answer.on('data', (chunk: Buffer) => body.add(chunk, performance.now() - startedAt));
      answer.once('end', () => done(body.flagOf(answer, task.pace.bytes), answer));
      answer.once('error', () => done('cut-off', answer));
    });
    request.once('error', () => done('failed'));
    request.once('timeout', () => request.destroy(new Error('silent for too long')));
  });
}

/** What a body shows while it comes. */
class ReadBody {
  readonly #content: StreamContent;
  #bytes = 0;
  #waited = 0;
  #firstByteMs: number | null = null;
  #isRight = true;

  constructor(content: StreamContent) {
    this.#content = content;
  }

  get measures(): Pick<FillRequest, 'bytes' | 'firstByteMs' | 'byteWaitMs'> {
    const byteWaitMs = this.#bytes === 0 ? null : this.#waited / this.#bytes;
    return { bytes: this.#bytes, firstByteMs: this.#firstByteMs, byteWaitMs };
  }

  add(chunk: Buffer, sinceStartMs: number): void {
    this.#firstByteMs ??= sinceStartMs;
    this.#waited += chunk.byteLength * sinceStartMs;
    this.#isRight &&= this.#content.matches(this.#bytes, chunk);
    this.#bytes += chunk.byteLength;
  }

  flagOf({ statusCode }: IncomingMessage, bytes: number): FillFlag | null {
    if (statusCode !== 200) return 'wrong-status';
    if (!this.#isRight) return 'wrong-body';
    return this.#bytes === bytes ? null : 'cut-off';
  }
}

/** nginx's own word, or what RFC 9211 says behind the cache's name. */
function cacheStatusOf(answer: IncomingMessage | undefined): string | undefined {
  const { 'x-cache-status': word, 'cache-status': status } = answer?.headers ?? {};
  if (typeof word === 'string') return word;
  return typeof status === 'string' ? status.replace(/^[^;]*;\s*/, '') : undefined;
}
