/** Hands questions of the service worker to the page's world, and its answers back. It adds nothing to them. */
import { takePort } from './channel.ts';
import type { PageAnswer, PageQuestion } from '@cachescope/model/page-message.ts';

const mainWorld = takePort();
const waiting = new Map<number, (result: PageAnswer) => void>();
let questions = 0;

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

void listen();
chrome.runtime.onMessage.addListener((question: PageQuestion, _sender, respond) => {
  void ask(question).then(respond);
  // The channel to the service worker stays open until respond() is called.
  return true;
});
