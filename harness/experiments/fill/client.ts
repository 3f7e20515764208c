import { Agent, get, type IncomingMessage } from 'node:http';
import type { FillFlag, FillRequest } from '@cachescope/model/fill/trial.ts';
import { StreamContent } from '@cachescope/origin/routes/stream-content.ts';
import { type StreamPace, streamPath } from '@cachescope/origin/routes/stream.ts';

/** The task of the readers of one trial: each requests file 0, 1, 2 and so on until the time is over. */
export interface FillTask {
  /** Base URL of the requests, for example `http://127.0.0.1:8042`. */
  base: string;
  /** Prefix of each file's name. It is unique to the trial, so no cache holds any of the files. */
  prefix: string;
  pace: Pick<StreamPace, 'seed' | 'bytes' | 'durationMs' | 'chunkHz'>;
  workers: number;
  timeMs: number;
  /** True when readers must begin no more requests. */
  shouldStop: () => boolean;
  /** Ends every reader immediately, with the bytes received so far. Default: never. */
  signal?: AbortSignal;
}

/** The measurements of the readers. */
export interface FillReading {
  requests: FillRequest[];
  /** From the first request to the end of the last, ms. */
  clientMs: number;
}

/** A reading, with the utilisation of the event loop of the readers, 0 to 1, which shows whether they kept up. */
export type BusyReading = FillReading & { client: number };

/** Reads with readers in this thread. */
export async function readBusy(task: FillTask): Promise<BusyReading> {
  const before = performance.eventLoopUtilization();
  const reading = await readAll(task);
  return { ...reading, client: performance.eventLoopUtilization(before).utilization };
}

/** A connection is closed when it is without data for this time longer than a file takes to be sent, ms. */
const idleLimitMs = 60_000;
/** Pause after a failed request, ms: a cache that has ended must not receive a thousand requests a second. */
const failurePauseMs = 100;

/** Name of one file of a trial. */
export function fileName(prefix: string, file: number): string {
  return `${prefix}-file-${file}`;
}

/**
 * Reads with the task's number of concurrent readers. It uses node:http, whose readers take less processor time than
 * those of fetch(): 100 readers at 5 MiB a second kept the processor busy for 60 % of the time, where fetch() took all
 * of it and fell behind.
 */
export async function readAll(task: FillTask): Promise<FillReading> {
  const agent = new Agent({ keepAlive: true });
  const beganAt = performance.now();
  const requests: FillRequest[] = [];
  const isOver = () =>
    performance.now() - beganAt >= task.timeMs || task.shouldStop() || task.signal?.aborted;
  const work = async (worker: number) => {
    // Every reader requests the first file, even when starting all readers takes longer than the trial.
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

/** Reads one file and checks every byte on arrival. Never rejects: a failure is a flag. */
function readOne(
  { base, prefix, pace, signal }: FillTask,
  agent: Agent,
  beganAt: number,
  { worker, file }: Pick<FillRequest, 'worker' | 'file'>,
): Promise<FillRequest> {
  const name = fileName(prefix, file);
  const content = new StreamContent(pace.seed, name);
  const startedAt = performance.now();
  let bytes = 0;
  let waited = 0;
  let isRight = true;
  let firstByteMs: number | null = null;
  const add = (chunk: Buffer) => {
    const sinceStartMs = performance.now() - startedAt;
    firstByteMs ??= sinceStartMs;
    waited += chunk.byteLength * sinceStartMs;
    isRight &&= content.matches(bytes, chunk);
    bytes += chunk.byteLength;
  };
  const flagOf = ({ statusCode }: IncomingMessage): FillFlag | null => {
    if (statusCode !== 200) return 'wrong-status';
    if (!isRight) return 'wrong-body';
    return bytes === pace.bytes ? null : 'cut-off';
  };
  return new Promise((resolve) => {
    const done = (flag: FillFlag | null, answer?: IncomingMessage) => {
      const status = cacheStatusOf(answer);
      resolve({
        worker,
        file,
        startMs: startedAt - beganAt,
        durationMs: performance.now() - startedAt,
        bytes,
        firstByteMs,
        byteWaitMs: bytes === 0 ? null : waited / bytes,
        ...(status !== undefined && { cacheStatus: status }),
        ...(flag && { flag }),
      });
    };
    const url = base + streamPath(name, pace);
    // Behind a lock a reader gets nothing until the whole file has arrived.
    const timeout = pace.durationMs + idleLimitMs;
    const request = get(url, { agent, timeout, signal }, (answer) => {
      answer.on('data', add);
      answer.once('end', () => done(flagOf(answer), answer));
      answer.once('error', () => done('cut-off', answer));
    });
    request.once('error', () => done('failed'));
    request.once('timeout', () => request.destroy(new Error('silent for too long')));
  });
}

/**
 * The value of nginx's X-Cache-Status, or what the nearest cache says in Cache-Status (the last member, RFC 9211 section 2),
 * without its name.
 */
function cacheStatusOf(answer: IncomingMessage | undefined): string | undefined {
  const { 'x-cache-status': word, 'cache-status': status } = answer?.headers ?? {};
  if (typeof word === 'string') return word;
  if (typeof status !== 'string') return undefined;
  return status.slice(status.lastIndexOf(',') + 1).replace(/^[^;]*;\s*/, '');
}
