import { LoadRecorder } from '@cachescope/model/reclaim/recorder.ts';
import type { DueRequest } from '@cachescope/model/reclaim/traffic.ts';
import { CachescopeError } from '../../error.ts';
import type { PageAnswer, PageBatch, PageMessage, PageOrder, PageTarget } from './page-task.ts';
import type { Attack } from './system.ts';

/** Time from the order to the first request, ms: enough for the page to read the order. */
const leadMs = 300;
/** A page without a message for this time has stopped, ms. */
const silenceMs = 60_000;
/** Time limit for responses after the last request, ms. */
const answerLimitMs = 30_000;
/**
 * With this many requests in flight, a due request is dropped: from 1,024 on, Chromium holds a page's requests back,
 * which would make the loop closed without notice.
 */
const mostInFlight = 1000;
/** Longest time between two exchanges with the page, ms. */
const longestBatchMs = 1000;
/** Number of batches for which the page gets requests in advance. */
const stretchesAhead = 3;

/** Options of a load that a page sends. */
export interface PageLoadOptions {
  /** Origin of the paths. */
  baseUrl: string;
  windowMs: number;
  /** In the order of their due times. */
  requests: Iterator<DueRequest>;
  pathOf: (request: DueRequest) => string;
  /** Called for every correct response. */
  answered: (path: string, answer: PageAnswer, endedAt: number) => void;
}

/** A request that the page has. */
interface Given {
  due: DueRequest;
  path: string;
  sentMs: number;
}

/** Passes the requests of a load to a page, and builds windows from the batches that it returns. */
export class PageLoad {
  readonly #options: PageLoadOptions;
  readonly #attack: Attack;
  readonly #recorder = new LoadRecorder();
  readonly #done = Promise.withResolvers<void>();
  readonly #given = new Map<number, Given>();
  readonly #batchMs: number;
  #next: IteratorResult<DueRequest, unknown>;
  #startsAt = 0;
  #windowStartMs = 0;
  #watchdog: ReturnType<typeof setTimeout> | undefined;

  /**
   * Settles when every response has arrived. @throws CachescopeError CS_RECLAIM_PAGE when the page fails or sends no
   * message.
   */
  readonly done = this.#done.promise;

  constructor(options: PageLoadOptions, attack: Attack) {
    this.#options = options;
    this.#attack = attack;
    this.#next = options.requests.next();
    const { windowMs } = options;
    this.#batchMs = windowMs / Math.ceil(windowMs / longestBatchMs);
    // Callers that await it get the rejection; a rejection that nobody awaits yet is not an error.
    this.done.catch(() => undefined);
    this.#watch();
  }

  /** Returns the page's next order in answer to a message. */
  answer(message: PageMessage): PageOrder {
    this.#watch();
    if (message.kind === 'ready') return this.#begin();
    if (message.kind === 'failed') {
      this.#fail(message.reason);
      return { kind: 'end' };
    }
    this.#take(message.batch, message.isDone);
    if (message.isDone) {
      this.stop();
      this.#done.resolve();
      return { kind: 'end' };
    }
    if (this.#attack.shouldStop()) return { kind: 'stop' };
    return { kind: 'targets', ...this.#targets(message.batch.elapsedMs) };
  }

  /** Stops waiting for messages of the page. */
  stop(): void {
    clearTimeout(this.#watchdog);
  }

  #begin(): PageOrder {
    const { baseUrl } = this.#options;
    const startsAt = Date.now() + leadMs;
    this.#startsAt = startsAt;
    this.#attack.began(startsAt);
    const attack = { startsAt, baseUrl, batchMs: this.#batchMs, answerLimitMs, mostInFlight };
    return { kind: 'attack', attack, ...this.#targets(0) };
  }

  /** The requests that are due within the next batches. */
  #targets(elapsedMs: number): { targets: PageTarget[]; isLast: boolean } {
    const untilMs = elapsedMs + stretchesAhead * this.#batchMs;
    const targets: PageTarget[] = [];
    while (!this.#next.done && this.#next.value.dueMs < untilMs) {
      const due = this.#next.value;
      const path = this.#options.pathOf(due);
      this.#given.set(due.number, { due, path, sentMs: due.dueMs });
      targets.push([due.dueMs, path]);
      this.#next = this.#options.requests.next();
    }
    return { targets, isLast: this.#next.done === true };
  }

  #take({ firstNumber, sentMs, answers, elapsedMs }: PageBatch, isDone: boolean): void {
    for (const [index, ms] of sentMs.entries()) this.#noteSent(firstNumber + index, ms);
    for (const answer of answers) this.#noteEnd(answer);
    const spanMs = elapsedMs - this.#windowStartMs;
    // Batches arrive slightly late and never early: the last one of a window ends it.
    if (!isDone && spanMs < this.#options.windowMs - this.#batchMs / 2) return;
    this.#windowStartMs = elapsedMs;
    this.#attack.window({ atMs: elapsedMs, spanMs, load: this.#recorder.take(null) });
  }

  #noteSent(number: number, sentMs: number | null): void {
    const given = this.#given.get(number);
    if (!given) return;
    if (sentMs === null) {
      this.#given.delete(number);
      this.#recorder.dropped();
      return;
    }
    given.sentMs = sentMs;
    this.#recorder.sent(given.due.dueMs, sentMs);
  }

  #noteEnd(answer: PageAnswer): void {
    const given = this.#given.get(answer.number);
    if (!given) return;
    this.#given.delete(answer.number);
    const { due, sentMs, path } = given;
    const { endMs, status, encodedBytes: bytes, bodyBytes, fromCache: hit } = answer;
    const isWrong = status === 200 && bodyBytes !== due.bytes;
    const error = isWrong ? 'wrong body' : answer.error;
    this.#recorder.ended({ dueMs: due.dueMs, sentMs, endMs, status, bytes, hit, error });
    if (error === null) this.#options.answered(path, answer, this.#startsAt + endMs);
  }

  #watch(): void {
    clearTimeout(this.#watchdog);
    const silent = () => this.#fail(`it has sent no message for ${silenceMs / 1000} s`);
    this.#watchdog = setTimeout(silent, silenceMs);
  }

  #fail(reason: string): void {
    this.stop();
    this.#done.reject(
      new CachescopeError('CS_RECLAIM_PAGE', `the page that sends requests: ${reason}`),
    );
  }
}
