/**
 * Runs in every frame of a page before its scripts. Passes questions of the service worker to the main world, and its
 * answers back. Collects the document's resources while its tab is watched.
 */
import type { PageBatch } from '@cachescope/model/load/page-batch.ts';
import type { PageQuestion } from '@cachescope/model/load/messages.ts';
import type { PageAnswer } from '@cachescope/model/load/page-message.ts';
import type {
  FrameOrder,
  WatchAnswer,
  WatchRequest,
} from '@cachescope/model/load/watch-message.ts';
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
  const answer = await unlessRestored<WatchAnswer | undefined>(chrome.runtime.sendMessage(request));
  if (answer && 'done' in answer) return answer;
  throw new Error(answer?.error ?? 'the service worker gave no answer');
}

/**
 * A message in flight when its page enters the back/forward cache is never answered: it rejects when the page is
 * restored.
 */
function unlessRestored<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const shown = ({ isTrusted, persisted }: PageTransitionEvent): void => {
      if (isTrusted && persisted) reject(new Error('its page was in the back/forward cache'));
    };
    addEventListener('pageshow', shown);
    answer.then(resolve, reject).finally(() => removeEventListener('pageshow', shown));
  });
}

/** Whether the tab is watched; undefined: not known yet. */
let isWatched: boolean | undefined;
/** Whether a batch may have been stored. Its uses are numbered, so only the same collector can go on. */
let hasReported = false;
// Orders do not reach a page in the back/forward cache.
addEventListener('pageshow', ({ isTrusted, persisted, timeStamp }) => {
  if (!isTrusted || !persisted) return;
  isWatched = undefined;
  watch().restored(timeStamp);
});

/**
 * Sends nothing for a tab known to be unwatched. If the page leaves before that is known, the service worker decides.
 */
async function sendBatch(batch: PageBatch): Promise<void> {
  if (isWatched === false) return;
  hasReported = true;
  const mayBeUnwatched = isWatched === undefined ? { mayBeUnwatched: true } : {};
  await tell({ type: 'page-batch', batch: { ...batch, ...mayBeUnwatched } });
}

/** Asked after the load event: an earlier question would take time from the load. */
async function mayDigest(): Promise<boolean> {
  isWatched ??= await askIfWatched();
  if (isWatched) return true;
  collector?.discard();
  if (!hasReported) collector = undefined;
  return false;
}

function watch(): Collector {
  collector ??= new Collector(sendBatch, mayDigest);
  collector.start();
  return collector;
}

function obey({ type }: FrameOrder): void {
  if (type === 'unwatch') {
    collector?.stop();
    return;
  }
  isWatched = true;
  watch();
}

function isOrder(message: PageQuestion | FrameOrder): message is FrameOrder {
  return message.type === 'watch' || message.type === 'unwatch';
}

/**
 * Only the instrument sends `describe`, and only to the document that it opened. So a window that the page opens
 * itself, or puts in place of that document, never times a read.
 */
let isOpened = false;
const refusal: PageAnswer = {
  error: 'the instrument has not opened this document: the page put it there. Open the page again',
};

enlargeBuffer(performance);
void listen();
chrome.runtime.onMessage.addListener((message: PageQuestion | FrameOrder, _sender, respond) => {
  if (isOrder(message)) {
    obey(message);
    return false;
  }
  isOpened ||= message.type === 'describe';
  if (!isOpened) {
    respond(refusal);
    return false;
  }
  void ask(message).then(respond);
  // The channel to the service worker stays open until respond() is called.
  return true;
});

const mostQuestions = 10;
const askAgainMs = 300;

/**
 * Asks again when the service worker does not answer, because it may be stopping. Without any answer the tab is not
 * watched.
 */
async function askIfWatched(): Promise<boolean> {
  for (let question = 0; question < mostQuestions; question++) {
    // A watch order may come before the answer.
    if (isWatched !== undefined) return isWatched;
    const answer = await tell({ type: 'is-watched' }).catch(() => undefined);
    if (answer && 'done' in answer) return answer.isWatched === true || isWatched === true;
    await new Promise((resolve) => setTimeout(resolve, askAgainMs));
  }
  return isWatched === true;
}

// From the start, because a page can clear the browser's buffer before the answer arrives.
watch();
