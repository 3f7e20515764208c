/**
 * Runs in the page's main world before its scripts, and times reads on request. It does nothing before the first
 * request.
 *
 * A hostile page can still interfere: it shares this world's built-in prototypes (Promise, Array, Response), can slow
 * the thread down, and can register a service worker. It cannot forge a request or an answer by messages
 * (`channel.ts`). That is enough for pages that a user chooses to measure. The harness also checks every read against
 * the origin's log and the device's counters.
 */
import { offerPort } from './channel.ts';
import type { PageQuestion } from '@cachescope/model/load/messages.ts';
import type {
  PageAnswer,
  PageDescription,
  PageReading,
} from '@cachescope/model/load/page-message.ts';
import { smallestStep } from '@cachescope/model/timer-step.ts';
import { timedRead, type Natives } from './timed-read.ts';

const { performance, setTimeout, fetch, crypto, PerformanceObserver } = globalThis;
// Absent in a document that is no secure context, where a read fails and the page is left alone.
const subtle = crypto.subtle as SubtleCrypto | undefined;
// Called with `this` explicitly below.
// oxlint-disable-next-line typescript/unbound-method
const readBody = Response.prototype.arrayBuffer;

const mark = performance.mark.bind(performance);
const digest =
  subtle?.digest.bind(subtle, 'SHA-256') ??
  (() => Promise.reject(new Error('reads need a secure context: https or loopback')));

const natives: Natives = {
  now: performance.now.bind(performance),
  fetch: fetch.bind(globalThis),
  arrayBuffer: (response) => readBody.call(response),
  sha256: digest,
  sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  mark: (name) => void mark(name),
  Observer: PerformanceObserver,
};

async function answer(question: PageQuestion): Promise<PageDescription | PageReading> {
  if (question.type === 'read') return timedRead(natives, question.request);
  return { crossOriginIsolated, timerStepMs: smallestStep(natives.now) };
}

async function settle(question: PageQuestion): Promise<PageAnswer> {
  try {
    return { answer: await answer(question) };
  } catch (error) {
    return { error: String(error) };
  }
}

const port = offerPort();
const reply = port.postMessage.bind(port);
port.addEventListener('message', (event: MessageEvent<{ id: number; question: PageQuestion }>) => {
  const { id, question } = event.data;
  void settle(question).then((result) => reply({ id, result }));
});
port.start();
