import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startPage } from '../fake-browser/page.ts';
import { takePort } from './channel.ts';

/** Sends one question to the main-world script. */
async function ask(question: object): Promise<unknown> {
  startPage();
  let nowMs = 0;
  Object.assign(performance, { mark: vi.fn(), now: () => nowMs++ });
  const taken = takePort();
  // Each page runs its own copy of the script; the imported modules keep no state.
  await import(/* @vite-ignore */ `./main-world.ts?page=${crypto.randomUUID()}`);
  const port = await taken;
  const answered = new Promise((resolve) => {
    port.addEventListener('message', ({ data }) => resolve(data), { once: true });
  });
  port.start();
  // A port has no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  port.postMessage({ id: 7, question });
  const answer = await answered;
  port.close();
  return answer;
}

test('in a document that is no secure context questions are answered, without an error in the page', async () => {
  vi.stubGlobal('crypto', { randomUUID });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(await ask({ type: 'describe' })).toMatchObject({ result: { answer: expect.anything() } });
});

test('an answer has the id of its question', async () => {
  expect(await ask({ type: 'describe' })).toMatchObject({
    id: 7,
    result: { answer: { crossOriginIsolated: true, timerStepMs: 1 } },
  });
});

test('a question that cannot be answered gets the reason', async () => {
  expect(await ask({ type: 'read' })).toMatchObject({
    id: 7,
    result: { error: expect.stringContaining('TypeError') },
  });
});
