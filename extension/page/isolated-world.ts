/**
 * Runs in every frame of a page before its scripts. Hands questions of the service worker to the page's world, and its
 * answers back; and collects what the document loads while its tab is watched.
 */
import type { PageAnswer, PageQuestion } from '@cachescope/model/page-message.ts';
import type { FrameOrder, WatchAnswer, WatchRequest } from '@cachescope/model/watch-message.ts';
import { takePort } from './channel.ts';
import { Collector } from './collector.ts';
import { enlargeBuffer } from './resource-entry.ts';

const mainWorld = takePort();
const waiting = new Map<number, (result: PageAnswer) => void>();
let questions = 0;
let collector: Collector | undefined;

async function ask(question: PageQuestion): Promise<PageAnswer> {
  const port = await mainWorld;
  return new Promise((resolve) => {
    const id = questions++;
    waiting.set(id, resolve);
    port.postMessage({ id, question });
  });
}

async function listen(): Promise<void> {
  const port = await mainWorld;
  port.addEventListener('message', (event: MessageEvent<{ id: number; result: PageAnswer }>) => {
    waiting.get(event.data.id)?.(event.data.result);
    waiting.delete(event.data.id);
  });
  port.start();
}

async function tell(request: WatchRequest): Promise<WatchAnswer> {
  const answer: WatchAnswer | undefined = await chrome.runtime.sendMessage(request);
  if (answer && 'done' in answer) return answer;
  throw new Error(answer?.error ?? 'the service worker gave no answer');
}

function makeCollector(): Collector {
  return new Collector(async (batch) => void (await tell({ type: 'page-batch', batch })));
}

function obey(order: FrameOrder): void {
  if (order.type === 'unwatch') {
    collector?.stop();
    return;
  }
  collector ??= makeCollector();
  collector.start();
}

function isOrder(message: PageQuestion | FrameOrder): message is FrameOrder {
  return message.type === 'watch' || message.type === 'unwatch';
}

enlargeBuffer(performance);
void listen();
chrome.runtime.onMessage.addListener((message: PageQuestion | FrameOrder, _sender, respond) => {
  if (isOrder(message)) {
    obey(message);
    return false;
  }
  void ask(message).then(respond);
  // The channel to the service worker stays open until respond() is called.
  return true;
});

const mostQuestions = 10;
const askAgainMs = 300;

/** The question may meet a service worker that is being stopped, so it is asked again. Nobody watches when none answers. */
async function isWatched(): Promise<boolean> {
  for (let question = 0; question < mostQuestions; question++) {
    const answer = await tell({ type: 'is-watched' }).catch(() => undefined);
    if (answer && 'done' in answer) return answer.isWatched === true;
    await new Promise((resolve) => setTimeout(resolve, askAgainMs));
  }
  return false;
}

/** Entries are taken from the start, because a page can empty the browser's buffer before the answer is there. */
async function beginEarly(): Promise<void> {
  const early = new Collector(async (batch) => {
    // Nothing is sent before it is known that the tab is watched, and nothing ever when it is not.
    if (await firstAnswer) await tell({ type: 'page-batch', batch });
  });
  early.start();
  collector = early;
  if (await firstAnswer) return;
  early.discard();
  if (collector === early) collector = undefined;
}

const firstAnswer = isWatched();
void beginEarly();
