import type { Keys, MicroMessage, MicroTask, TimedRuns } from '@cachescope/model/micro/task.ts';
import { smallestStep } from '@cachescope/model/timer-step.ts';
import { batchOf, timeRuns } from './micro-loop.ts';
import {
  readFunctions,
  runAction,
  clearCache,
  readThrough,
  storedResponse,
} from './micro-reads.ts';
import { scriptPage } from './script-page.ts';

interface WorkerContainer {
  controller: object | null;
  register(script: string): Promise<unknown>;
  addEventListener(type: 'controllerchange', act: () => void): void;
}
interface FetchEvent {
  request: { url: string };
  respondWith(response: Promise<Response>): void;
}
declare const location: { pathname: string };
declare const crossOriginIsolated: boolean;
declare const navigator: { serviceWorker: WorkerContainer };
declare const skipWaiting: () => Promise<void>;
declare const clients: { claim(): Promise<void> };
declare const addEventListener: (
  type: string,
  act: (event: FetchEvent & { waitUntil(work: Promise<void>): void }) => void,
) => void;

function urlOf(url: string, keys: Keys, run: number): string {
  return url.replace('{key}', String(keys.from + ((run * keys.stride) % keys.count)));
}

/** Reads all keys, `parallel` at a time. */
async function populate(task: Extract<MicroTask, { kind: 'populate' }>): Promise<null> {
  let next = 0;
  const readOn = async () => {
    while (next < task.keys.count)
      await readThrough(task.cache, urlOf(task.url, task.keys, next++));
  };
  await Promise.all(Array.from({ length: task.parallel }, readOn));
  return null;
}

async function time(
  task: Extract<MicroTask, { kind: 'time' }>,
  timerStepMs: number,
): Promise<TimedRuns> {
  const now = performance.now.bind(performance);
  let made = 0;
  const run = () => runAction(task, urlOf(task.url, task.keys, made++));
  for (let index = 0; index < task.warmUpRuns; index++) await run();
  const batch = task.mayBatch ? await batchOf(now, run, timerStepMs) : 1;
  // By then the remaining work for the message with the task has ended.
  await new Promise((resolve) => setTimeout(resolve, 2));
  return timeRuns(now, run, task, batch);
}

async function perform(task: MicroTask, timerStepMs: number): Promise<TimedRuns | null> {
  if (task.kind === 'time') return time(task, timerStepMs);
  if (task.kind === 'populate') return populate(task);
  if (task.kind === 'clear') await clearCache(task.cache);
  return null;
}

/** Settles when the service worker controls the page. */
async function controlled(): Promise<void> {
  const { serviceWorker } = navigator;
  const taken = new Promise<void>((resolve) => {
    serviceWorker.addEventListener('controllerchange', resolve);
  });
  await serviceWorker.register('worker.js');
  if (!serviceWorker.controller) await taken;
}

/** The page: requests a task, performs it, sends the result and requests the next task. */
async function pageMain(hasWorker: boolean): Promise<void> {
  if (hasWorker) await controlled();
  const pageId = location.pathname.split('/').at(-1);
  const timerStepMs = smallestStep(performance.now.bind(performance));
  let message: MicroMessage = { kind: 'ready', timerStepMs, crossOriginIsolated };
  for (;;) {
    const answer = await fetch(`/micro/tasks/${pageId}`, {
      method: 'POST',
      cache: 'no-store',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    });
    const task = (await answer.json()) as MicroTask;
    if (task.kind === 'end') return;
    message = await perform(task, timerStepMs).then(
      (timed) => ({ kind: 'done', timed }) as const,
      (error: unknown) => ({ kind: 'failed', reason: String(error) }) as const,
    );
  }
}

/** The service worker: answers entries from Cache Storage, and leaves all other requests to the browser. */
function workerMain(): void {
  addEventListener('install', (event) => event.waitUntil(skipWaiting()));
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    if (new URL(event.request.url).pathname.includes('/entry/'))
      event.respondWith(storedResponse(event.request.url));
  });
}

// Node has stripped the types before it runs a file, so the text of a function is valid JavaScript.
const functions = [
  ...readFunctions,
  smallestStep,
  batchOf,
  timeRuns,
  urlOf,
  populate,
  time,
  perform,
  controlled,
  pageMain,
].map(String);

/** The page that performs tasks, with or without a service worker. */
export function microPage(hasWorker: boolean): string {
  return scriptPage('a page that times reads', [...functions, `pageMain(${hasWorker});`]);
}

/** The service worker's script. */
export function microWorker(): string {
  return [String(storedResponse), String(workerMain), 'workerMain();'].join('\n');
}
