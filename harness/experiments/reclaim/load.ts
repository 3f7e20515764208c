import { Agent, type IncomingMessage, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import type { ReplayedRequest } from '@cachescope/model/reclaim/recorded-request.ts';
import { type EndedRequest, LoadRecorder } from '@cachescope/model/reclaim/recorder.ts';
import { type DueRequest, itemPath, trafficOf } from '@cachescope/model/reclaim/traffic.ts';
import { itemStamp } from '@cachescope/origin/routes/reclaim.ts';
import { monotonicMs, startAlarmClock } from './alarm.ts';
import type { Attack } from './system.ts';

/**
 * With this many requests in flight no more are sent: each holds a connection, and the machine's connections are
 * limited.
 */
const mostInFlight = 5000;
/** Maximum number of requests that a late generator sends in one turn. */
const mostAtOnce = 50;
/** Default response timeout, ms: that of vegeta. */
const usualAnswerLimitMs = 30_000;
/** Interval at which the generator checks whether the load must end early, ms. */
const stopCheckMs = 50;
/** Time for the alarm clock to start, so that the first request is not late, ms. */
const leadMs = 100;
/**
 * Number of requests for one item before the load, so that both sides have compiled their code before the measurement.
 */
const warmUps = 100;

/** The requests of a load and their target. */
export interface Load {
  plan: ReclaimPlan;
  replay: readonly ReplayedRequest[];
  /** Base URL, such as `http://127.0.0.1:41234`. */
  url: string;
  /** A request without a complete response after this time has failed, ms; default: 30,000. */
  answerLimitMs?: number;
}

/**
 * Sends the requests of a plan on schedule, independent of the responses (open loop). Each request in flight has its
 * own connection. Settles when all requests have ended.
 */
export async function sendLoad(load: Load, attack: Attack): Promise<void> {
  const generator = new Generator(load, attack);
  try {
    await generator.warmUp();
    await generator.run();
  } finally {
    await generator.close();
  }
}

/** How a request ended: the status of its response, the encoded bytes of the body, whether it was a hit, the error. */
type Answer = Pick<EndedRequest, 'status' | 'bytes' | 'hit' | 'error'>;

class Generator {
  readonly #load: Load;
  readonly #attack: Attack;
  readonly #agent = new Agent({
    keepAlive: true,
    scheduling: 'lifo',
    maxFreeSockets: mostInFlight,
  });
  readonly #target: { host: string; port: number; agent: Agent };
  readonly #recorder = new LoadRecorder();
  readonly #traffic: Iterator<DueRequest, void>;
  readonly #clock = startAlarmClock(() => this.#ring());
  readonly #done = Promise.withResolvers<void>();
  /** When the first request is due, `monotonicMs`. */
  #beginMs = 0;
  #next: DueRequest | null = null;
  #windowEndMs = 0;
  #windowTimer: NodeJS.Timeout | undefined;
  #stopTimer: NodeJS.Timeout | undefined;
  #loop = performance.eventLoopUtilization();

  constructor(load: Load, attack: Attack) {
    this.#load = load;
    this.#attack = attack;
    this.#traffic = trafficOf(load.plan, load.replay);
    const { hostname, port } = new URL(load.url);
    this.#target = { host: hostname, port: Number(port), agent: this.#agent };
  }

  async warmUp(): Promise<void> {
    const item = { key: 'warmup', bytes: this.#load.plan.payloadBytes ?? 1024 };
    const path = itemPath({ ...this.#load.plan, originDelayMs: 0 }, item);
    for (let count = 0; count < warmUps; count++) {
      await new Promise<void>((resolve, reject) => {
        const sent = request({ ...this.#target, path }, (answer) => {
          answer.resume().once('end', resolve);
        });
        sent.once('error', reject).end();
      });
    }
  }

  async run(): Promise<void> {
    this.#advance();
    this.#beginMs = monotonicMs() + leadMs;
    this.#loop = performance.eventLoopUtilization();
    this.#attack.began(performance.timeOrigin + performance.now() + leadMs);
    this.#waitForWindow();
    this.#stopTimer = setInterval(() => this.#stopIfAsked(), stopCheckMs);
    // A run that was interrupted during the warm-up sends nothing.
    this.#stopIfAsked();
    this.#waitForNext();
    await this.#done.promise;
    clearTimeout(this.#windowTimer);
    this.#endWindow();
  }

  async close(): Promise<void> {
    clearTimeout(this.#windowTimer);
    clearInterval(this.#stopTimer);
    this.#agent.destroy();
    await this.#clock.close();
  }

  get #nowMs(): number {
    return monotonicMs() - this.#beginMs;
  }

  #advance(): void {
    this.#next = this.#traffic.next().value ?? null;
  }

  #ring(): void {
    // Responses are processed in between: a generator that sends everything due at once might never read them.
    for (let sent = 0; sent < mostAtOnce; sent++) {
      if (!this.#next || this.#next.dueMs > this.#nowMs) break;
      if (this.#recorder.inFlight >= mostInFlight) this.#recorder.dropped();
      else this.#send(this.#next);
      this.#advance();
    }
    // An interrupt is noticed here too, so that no more requests are sent after it.
    this.#stopIfAsked();
    this.#waitForNext();
  }

  #stopIfAsked(): void {
    if (!this.#attack.shouldStop()) return;
    this.#next = null;
    this.#endIfDone();
  }

  #waitForNext(): void {
    if (this.#next) this.#clock.set(this.#beginMs + this.#next.dueMs);
    else this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#next === null && this.#recorder.inFlight === 0) this.#done.resolve();
  }

  #send(due: DueRequest): void {
    const { plan, answerLimitMs = usualAnswerLimitMs } = this.#load;
    const { dueMs } = due;
    const sentMs = this.#nowMs;
    this.#recorder.sent(dueMs, sentMs);
    let isOver = false;
    const end = (answer: Answer) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(limit);
      this.#recorder.ended({ dueMs, sentMs, endMs: this.#nowMs, ...answer });
      this.#endIfDone();
    };
    const fail = ({ code, message }: NodeJS.ErrnoException) =>
      end({ status: 0, bytes: null, hit: null, error: code ?? message });
    const sent = request({ ...this.#target, path: itemPath(plan, due) }, (answer) => {
      receive(answer, due, plan.coding, end);
      answer.once('error', fail);
    });
    sent.once('error', fail).end();
    // The limit is for the whole response: one that arrives byte by byte is never idle.
    const limit = setTimeout(() => {
      fail(new Error(`no response within ${answerLimitMs / 1000} s`));
      sent.destroy();
    }, answerLimitMs);
  }

  /** Windows end at multiples of their length, so that a late end delays no later one. */
  #waitForWindow(): void {
    const { windowMs } = this.#load.plan;
    const leftMs = windowMs - (this.#nowMs % windowMs);
    // A timer may fire slightly early; its window has still ended then.
    const waitMs = leftMs < windowMs / 2 ? leftMs + windowMs : leftMs;
    this.#windowTimer = setTimeout(() => {
      this.#endWindow();
      this.#waitForWindow();
    }, waitMs);
  }

  #endWindow(): void {
    const atMs = this.#nowMs;
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#loop);
    this.#loop = now;
    const spanMs = atMs - this.#windowEndMs;
    this.#windowEndMs = atMs;
    this.#attack.window({ atMs, spanMs, load: this.#recorder.take(utilization) });
  }
}

/** First bytes of a gzip member (RFC 1952 section 2.3.1). */
const gzipMagic = '\x1f\x8b';

/** Reads a response to its end, and checks the length and the first bytes of its body. */
function receive(
  response: IncomingMessage,
  { key, bytes: decodedBytes }: DueRequest,
  coding: ReclaimPlan['coding'],
  end: (answer: Answer) => void,
): void {
  const { headers, statusCode: status = 0 } = response;
  let bytes = 0;
  let head = '';
  response.on('data', (chunk: Buffer) => {
    if (bytes === 0) head = chunk.toString('latin1', 0, 48);
    bytes += chunk.byteLength;
  });
  response.once('end', () => {
    const stamp = itemStamp(key).slice(0, decodedBytes);
    const isItem =
      coding === 'gzip'
        ? head.startsWith(gzipMagic)
        : // The first chunk of a body may be shorter than the stamp.
          bytes === decodedBytes && head.slice(0, stamp.length) === stamp.slice(0, head.length);
    const isWhole = bytes === Number(headers['content-length'] ?? bytes);
    const error = status === 200 && !(isWhole && isItem) ? 'wrong body' : null;
    // The origin reports a hit by Cache-Status (RFC 9211).
    const cacheStatus = headers['cache-status'];
    const isKnown = typeof cacheStatus === 'string';
    const hit = isKnown ? cacheStatus.startsWith('cachescope; hit') : null;
    end({ status, bytes, hit, error });
  });
}
