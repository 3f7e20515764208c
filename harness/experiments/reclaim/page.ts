import { answerNumberHeader } from '@cachescope/origin/routes/reclaim.ts';
import type { PageAnswer, PageAttack, PageMessage, PageOrder, PageTarget } from './page-task.ts';
import { scriptPage } from '@cachescope/origin/routes/script-page.ts';

// The functions of this file run in a page. They are sent as text, so they may use nothing but each other.

declare const location: { pathname: string };

/** An attack in progress. */
interface Attack extends PageAttack {
  /** When the first request is due, on the page's clock. */
  startMs: number;
  queue: PageTarget[];
  /** Number of the next request to send. */
  next: number;
  inFlight: number;
  sentMs: (number | null)[];
  answers: PageAnswer[];
  /** Highest response number of the origin so far. */
  newestAnswer: number;
  /**
   * The latest response numbers, each at its remainder modulo the length; -1: none. A later number overwrites one with
   * the same remainder.
   */
  seenAnswers: Float64Array;
  signal: AbortSignal;
}

/**
 * Whether a response with this number came from the cache; its number is remembered. The origin numbers a response when its request arrives: a
 * new request gets a number above all those that had arrived when it was sent. A request that joins one in flight gets
 * the number of that one, whose response arrives first.
 */
function isKnownAnswer(attack: Attack, answerNumber: number, newestWhenSent: number): boolean {
  const { seenAnswers, newestAnswer } = attack;
  const place = answerNumber % seenAnswers.length;
  const isKnown = answerNumber <= newestWhenSent || seenAnswers[place] === answerNumber;
  attack.newestAnswer = Math.max(newestAnswer, answerNumber);
  seenAnswers[place] = answerNumber;
  return isKnown;
}

function numberIn(headers: Headers, name: string): number | null {
  const text = headers.get(name);
  return text === null ? null : Number(text);
}

/** Sends one request and waits for the last byte of its response. */
async function send(attack: Attack, number: number, path: string): Promise<void> {
  const { newestAnswer, startMs, signal } = attack;
  const none = { status: 0, bodyBytes: 0, encodedBytes: null, fromCache: null };
  attack.inFlight++;
  try {
    const response = await fetch(attack.baseUrl + path, { credentials: 'omit', signal });
    const { byteLength: bodyBytes } = await response.arrayBuffer();
    const endMs = performance.now() - startMs;
    const { status, headers } = response;
    const answerNumber = numberIn(headers, answerNumberHeader);
    const fromCache =
      answerNumber === null ? null : isKnownAnswer(attack, answerNumber, newestAnswer);
    const encodedBytes = numberIn(headers, 'content-length');
    attack.answers.push({ number, endMs, status, error: null, bodyBytes, encodedBytes, fromCache });
  } catch (error) {
    const endMs = performance.now() - startMs;
    attack.answers.push({ ...none, number, endMs, error: String(error) });
  }
  attack.inFlight--;
}

/** Sends the requests that are due. Open loop: requests without a response do not delay the others. */
function sendDue(attack: Attack): void {
  const nowMs = performance.now() - attack.startMs;
  const firstLater = attack.queue.findIndex(([dueMs]) => dueMs > nowMs);
  const due = firstLater < 0 ? attack.queue.length : firstLater;
  for (const [, path] of attack.queue.splice(0, due)) {
    const number = attack.next++;
    const isDropped = attack.inFlight >= attack.mostInFlight;
    attack.sentMs.push(isDropped ? null : performance.now() - attack.startMs);
    if (!isDropped) void send(attack, number, path);
  }
}

/**
 * Calls `step` repeatedly and waits in between, at most until the time that `step` returns; ends when it returns null.
 * A timer waits whole milliseconds, and at least four when timers are nested. A wait on a cell that nobody changes has
 * a finer resolution.
 */
async function atDueTimes(step: () => number | null): Promise<void> {
  const cells = new Int32Array(new SharedArrayBuffer(4));
  for (let dueAt = step(); dueAt !== null; dueAt = step()) {
    const waitMs = dueAt - performance.now();
    // A long wait is split, because the requests may be cancelled meanwhile.
    if (waitMs > 0) await Atomics.waitAsync(cells, 0, 0, Math.min(waitMs, 50)).value;
    // Overdue requests are sent at once, after pending responses are processed.
    else await wait(0);
  }
}

function takeBatch(attack: Attack, isDone: boolean): PageMessage {
  const { sentMs, answers, startMs, next } = attack;
  attack.sentMs = [];
  attack.answers = [];
  const elapsedMs = performance.now() - startMs;
  const batch = { firstNumber: next - sentMs.length, sentMs, answers, elapsedMs };
  return { kind: 'batch', batch, isDone };
}

/** Sends a message to the server and returns its next order. */
async function ask(message: PageMessage): Promise<PageOrder> {
  const answer = await fetch(`/message/${location.pathname.split('/').at(-1)}`, {
    method: 'POST',
    cache: 'no-store',
    body: JSON.stringify(message),
  });
  if (!answer.ok) throw new Error(`the server answered with status ${answer.status}`);
  return (await answer.json()) as PageOrder;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Sends a batch at the end of each interval and takes the next requests, until all are sent. */
async function exchange(attack: Attack, isLast: boolean): Promise<void> {
  let isAll = isLast;
  for (let stretch = 1; !isAll || attack.queue.length > 0; stretch++) {
    await wait(attack.startMs + stretch * attack.batchMs - performance.now());
    const order = await ask(takeBatch(attack, false));
    if (order.kind === 'targets') attack.queue.push(...order.targets);
    else attack.queue = [];
    isAll = order.kind !== 'targets' || order.isLast;
  }
}

/** Performs the attack to its end and returns the last message. */
async function perform(order: Extract<PageOrder, { kind: 'attack' }>): Promise<PageMessage> {
  const controller = new AbortController();
  const attack: Attack = {
    ...order.attack,
    startMs: order.attack.startsAt - performance.timeOrigin,
    queue: order.targets,
    next: 0,
    inFlight: 0,
    sentMs: [],
    answers: [],
    newestAnswer: -1,
    // Many times more than can be in flight.
    seenAnswers: new Float64Array(65_536).fill(-1),
    signal: controller.signal,
  };
  let hasAll = false;
  const exchanging = exchange(attack, order.isLast).finally(() => (hasAll = true));
  await atDueTimes(() => {
    sendDue(attack);
    const [first] = attack.queue;
    if (first) return attack.startMs + first[0];
    return hasAll ? null : performance.now() + 1;
  });
  await exchanging;
  const limit = performance.now() + attack.answerLimitMs;
  while (attack.inFlight > 0 && performance.now() < limit) await wait(10);
  controller.abort(new Error(`no answer within ${attack.answerLimitMs} ms of the last request`));
  while (attack.inFlight > 0) await wait(10);
  return takeBatch(attack, true);
}

/** The page: reports that it is ready, performs the attack that it is ordered, and reports the results. */
async function pageMain(): Promise<void> {
  performance.setResourceTimingBufferSize(0);
  let message: PageMessage = { kind: 'ready' };
  for (;;) {
    const order = await ask(message);
    if (order.kind !== 'attack') return;
    message = await perform(order).catch((error: unknown) => ({
      kind: 'failed' as const,
      reason: String(error),
    }));
  }
}

// Node strips the types before it runs a file, so the text of a function is a script.
const functions = [
  isKnownAnswer,
  numberIn,
  send,
  sendDue,
  atDueTimes,
  takeBatch,
  ask,
  wait,
  exchange,
  perform,
  pageMain,
].map(String);

/** The page that sends requests when they are due and times them. */
export function reclaimPage(): string {
  return scriptPage('a page that sends requests when they are due', [
    `const answerNumberHeader = ${JSON.stringify(answerNumberHeader)};`,
    ...functions,
    'pageMain();',
  ]);
}
