import { expect, test, vi } from 'vitest';
import { startPage } from '../fake-browser/page.ts';
import { offerPort, takePort } from './channel.ts';

/** Settles with the message that the other end receives; closes the channel. */
async function answerBetween(main: MessagePort, isolated: MessagePort): Promise<unknown> {
  const heard = new Promise((resolve) => {
    isolated.addEventListener('message', ({ data }) => resolve(data), { once: true });
  });
  isolated.start();
  // A port has no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  main.postMessage('hello');
  const answer = await heard;
  main.close();
  return answer;
}

test('the port is handed over when the main world runs first', async () => {
  startPage();
  const main = offerPort();
  expect(await answerBetween(main, await takePort())).toBe('hello');
});

test('the port is handed over when the isolated world runs first', async () => {
  startPage();
  const taken = takePort();
  expect(await answerBetween(offerPort(), await taken)).toBe('hello');
});

test('a page that listens afterwards neither sees the port nor gets another', async () => {
  startPage();
  const taken = takePort();
  const seen = vi.fn();
  addEventListener('cachescope-offer', seen);
  const main = offerPort();
  dispatchEvent(new Event('cachescope-ask'));
  expect(seen).not.toHaveBeenCalled();
  expect(await answerBetween(main, await taken)).toBe('hello');
});

test('a second offer does not replace the first, and an offer without a port is ignored', async () => {
  startPage();
  const taken = takePort();
  dispatchEvent(new Event('cachescope-offer'));
  const main = offerPort();
  const { port1, port2 } = new MessageChannel();
  dispatchEvent(new MessageEvent('cachescope-offer', { ports: [port2] }));
  expect(await answerBetween(main, await taken)).toBe('hello');
  port1.close();
});
