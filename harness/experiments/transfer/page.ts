import type { TakenTransfer } from '@cachescope/model/transfer/sample.ts';
import {
  type TransferMessage,
  transferHeaders,
  type TransferOrder,
  type TransferTask,
  transferUrl,
  transferUrls,
} from '@cachescope/model/transfer/task.ts';
import { scriptPage } from '@cachescope/origin/routes/script-page.ts';

// The functions of this file run in a page. They are sent as text, so they may use nothing but each other.

declare const location: { pathname: string };

type Answer = Pick<
  TakenTransfer,
  'totalMs' | 'bodyBytes' | 'originConnection' | 'originRequest' | 'originMs'
>;

/** Sends one request and waits for the last byte of its response, which has `responseBytes` bytes. */
export async function send(
  url: string,
  body: Uint8Array<ArrayBuffer>,
  responseBytes: number,
): Promise<Answer> {
  const start = performance.now();
  // A body without a content type needs no preflight, which would be one more request.
  const response = await fetch(url, {
    method: 'POST',
    body,
    cache: 'no-store',
    credentials: 'omit',
  });
  // The browser ends a body at its announced length: one without it could fill the memory of this page.
  const announced = response.headers.get('content-length');
  if (!response.ok || announced !== String(responseBytes)) {
    await response.body?.cancel();
    throw new Error(
      response.ok
        ? `${url} announced ${announced ?? 'no'} bytes in place of ${responseBytes}`
        : `${url} returned status ${response.status}`,
    );
  }
  const { byteLength } = await response.arrayBuffer();
  const totalMs = performance.now() - start;
  const numberOf = (name: string): number | null => {
    const text = response.headers.get(name);
    return text === null ? null : Number(text);
  };
  return {
    totalMs,
    bodyBytes: byteLength,
    originConnection: numberOf(transferHeaders.connection),
    originRequest: numberOf(transferHeaders.request),
    originMs: numberOf(transferHeaders.originMs),
  };
}

/** The Resource Timing entry of a request; it may be added slightly after the response. */
async function timingOf(url: string): Promise<PerformanceResourceTiming | null> {
  for (let wait = 0; wait < 20; wait++) {
    const [entry] = performance.getEntriesByName(url, 'resource');
    if (entry) return entry as PerformanceResourceTiming;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return null;
}

/** All times of an entry are 0 when the origin does not allow them to be read. */
async function withTiming(url: string, answer: Answer): Promise<TakenTransfer> {
  const timing = await timingOf(url);
  const known = timing !== null && timing.responseStart > 0 ? timing : null;
  return {
    ...answer,
    connectMs: known && known.connectEnd - known.connectStart,
    waitMs: known && known.responseStart - known.requestStart,
    downloadMs: known && known.responseEnd - known.responseStart,
    protocolName: known && known.nextHopProtocol,
  };
}

/** Performs a task. Numbers that begin with the time make its URLs unique. */
async function perform(task: TransferTask): Promise<TakenTransfer[]> {
  const body = new Uint8Array(task.requestBytes);
  const { untimed, timed } = transferUrls(task, Date.now());
  performance.clearResourceTimings();
  performance.setResourceTimingBufferSize(task.requests + 10);
  for (const url of untimed) await send(url, body, 0);
  // Time to finish processing the message with the task.
  await new Promise((resolve) => setTimeout(resolve, 2));
  const answers: [url: string, answer: Answer][] = [];
  for (const url of timed) {
    if (task.pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, task.pauseMs));
    answers.push([url, await send(url, body, task.responseBytes)]);
  }
  const taken: TakenTransfer[] = [];
  for (const [url, answer] of answers) taken.push(await withTiming(url, answer));
  return taken;
}

/** The page: requests a task, performs it, returns the result and requests the next. */
async function pageMain(): Promise<void> {
  const agent = location.pathname.split('/').at(-1);
  let message: TransferMessage = { kind: 'ready' };
  for (;;) {
    const answer = await fetch(`/message/${agent}`, {
      method: 'POST',
      cache: 'no-store',
      body: JSON.stringify(message),
    });
    const order = (await answer.json()) as TransferOrder;
    if (order.kind === 'end') return;
    message = await perform(order.task).then(
      (taken) => ({ kind: 'done', taken }) as const,
      (error: unknown) => ({ kind: 'failed', reason: String(error) }) as const,
    );
  }
}

// Node strips the types before it runs a file, so the text of a function is a script.
const functions = [send, timingOf, withTiming, perform, pageMain, transferUrl, transferUrls];

/** The page that sends requests and times them. */
export function transferPage(): string {
  return scriptPage('a page that times transfers', [
    `const transferHeaders = ${JSON.stringify(transferHeaders)};`,
    ...functions.map(String),
    'pageMain();',
  ]);
}
