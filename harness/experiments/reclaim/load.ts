import { Agent, type IncomingMessage, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import { LoadRecorder } from '@cachescope/model/reclaim/recorder.ts';
import { type DueRequest, itemPath, trafficOf } from '@cachescope/model/reclaim/traffic.ts';
import type { ReplayedRequest } from '@cachescope/model/reclaim/replay.ts';
import { type AlarmClock, monotonicMs, startAlarmClock } from './alarm.ts';
import type { Attack } from './system.ts';
import { receivedBody } from './answer.ts';

/** With so many requests under way no more are sent: each holds a connection, and the machine has only so many. */
export const mostInFlight = 5000;
/** Requests that are sent in one go by a generator that is behind. */
const mostAtOnce = 50;
/** vegeta's. */
const usualAnswerLimitMs = 30_000;
/** How often it is asked whether the load is to end early, ms. */
const stopCheckMs = 50;
/** Requests of one item before the load, so that neither side compiles its code under the clock. */
const warmUps = 100;

/** What is sent, and where. */
export interface Load {
  plan: ReclaimPlan;
  replay: readonly ReplayedRequest[];
  /** `http://127.0.0.1:41234`. */
  url: string;
  /** A request without a whole answer after so long has failed, ms; default: 30,000. */
  answerLimitMs?: number;
}

/**
 * Sends the requests of a plan at their times, whatever the answers do, each on a connection of its own while it is under
 * way. Settles when all have ended.
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

class Generator {
  readonly #load: Load;
  readonly #attack: Attack;
  readonly #agent = new Agent({
    keepAlive: true,
    scheduling: 'lifo',
    maxFreeSockets: mostInFlight,
  });
  readonly #recorder = new LoadRecorder();
  readonly #traffic: Iterator<DueRequest, void>;
  readonly #clock: AlarmClock;
  readonly #target: { host: string; port: number; agent: Agent };
  /** When the first request is due, `monotonicMs`. */
  #beginMs = 0;
  #next: DueRequest | null = null;
  #windowEndMs = 0;
  #windowTimer: NodeJS.Timeout | undefined;
  #stopTimer: NodeJS.Timeout | undefined;
  #loop = performance.eventLoopUtilization();
  #done: () => void = () => undefined;

  constructor(load: Load, attack: Attack) {
    this.#load = load;
    this.#attack = attack;
    this.#traffic = trafficOf(load.plan, load.replay);
    this.#clock = startAlarmClock(() => this.#ring());
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
    const over = new Promise<void>((resolve) => (this.#done = resolve));
    this.#advance();
    // Room for the alarm clock to come up, so that the first request is not late.
    this.#beginMs = monotonicMs() + 100;
    this.#loop = performance.eventLoopUtilization();
    this.#attack.began(performance.timeOrigin + performance.now() + 100);
    this.#waitForWindow();
    this.#stopTimer = setInterval(() => this.#stopIfAsked(), stopCheckMs);
    // A run that was interrupted during the warm-up sends nothing.
    this.#stopIfAsked();
    if (this.#next) this.#clock.set(this.#beginMs + this.#next.dueMs);
    else this.#done();
    await over;
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
    // Answers have their turn between: one who sends all that is due may never come to read.
    for (let sent = 0; sent < mostAtOnce; sent++) {
      if (!this.#next || this.#next.dueMs > this.#nowMs) break;
      if (this.#recorder.inFlight >= mostInFlight) this.#recorder.dropped();
      else this.#send(this.#next);
      this.#advance();
    }
    // A run that was interrupted during the warm-up sends nothing.
    this.#stopIfAsked();
    if (this.#next) this.#clock.set(this.#beginMs + this.#next.dueMs);
    else this.#endIfDone();
  }

  #stopIfAsked(): void {
    if (!this.#attack.shouldStop()) return;
    this.#next = null;
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#next === null && this.#recorder.inFlight === 0) this.#done();
  }

  #send(due: DueRequest): void {
    const { plan, answerLimitMs = usualAnswerLimitMs } = this.#load;
    const sentMs = this.#nowMs;
    this.#recorder.sent(due.dueMs, sentMs);
    let isOver = false;
    const end = (
      status: number,
      bytes: number | null,
      hit: boolean | null,
      error: string | null,
    ) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(limit);
      const endMs = this.#nowMs;
      this.#recorder.ended({ dueMs: due.dueMs, sentMs, endMs, status, bytes, hit, error });
      this.#endIfDone();
    };
    const fail = (error: NodeJS.ErrnoException) => end(0, null, null, error.code ?? error.message);
    const sent = request(
      { ...this.#target, path: itemPath(plan, due) },
      (answer: IncomingMessage) => {
        receivedBody(answer, { ...due, coding: plan.coding }, (body) =>
          end(answer.statusCode ?? 0, body.bytes, body.hit, body.error),
        );
        answer.once('error', fail);
      },
    );
    sent.once('error', fail).end();
    // Of the whole answer: one that comes byte by byte is never idle.
    const limit = setTimeout(() => {
      fail(new Error(`no response within ${answerLimitMs / 1000} s`));
      sent.destroy();
    }, answerLimitMs);
  }

  /** Windows end at multiples of their length, so that a late one makes no other late. */
  #waitForWindow(): void {
    const { windowMs } = this.#load.plan;
    const leftMs = windowMs - (this.#nowMs % windowMs);
    // A timer may ring a little early; the window that it was set for has ended then all the same.
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
