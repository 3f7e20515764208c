import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Browser } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { browserExit, browserGone, closeBrowser } from './browser-exit.ts';

/** A real process in place of a browser; it closes as the test specifies. */
function started(close: (child: ChildProcess) => Promise<void>): Browser {
  const child = spawn('sleep', ['60']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const process = (): ChildProcess => child;
  return Object.assign(new EventEmitter(), { process, close: () => close(child) }) as never;
}

const never = (): Promise<void> => new Promise(() => undefined);

test('the exit is reported with the signal that ended the process, and at once when the process is gone', async () => {
  const browser = started(never);
  const exit = browserExit(browser);
  browser.process()?.kill('SIGTERM');
  await exit;
  expect(browser.process()?.signalCode).toBe('SIGTERM');
  await browserExit(browser);
});

test('a browser that closes in time is not killed', async () => {
  const browser = started(async (child) => void child.kill('SIGINT'));
  await closeBrowser(browser, 10_000);
  expect(browser.process()?.signalCode).toBe('SIGINT');
});

test('a browser that does not close in time, or fails to, is killed', async () => {
  const silent = started(never);
  await closeBrowser(silent, 20);
  expect(silent.process()?.signalCode).toBe('SIGKILL');
  const failing = started(() => Promise.reject(new Error('the connection is lost')));
  await closeBrowser(failing, 10_000);
  expect(failing.process()?.signalCode).toBe('SIGKILL');
});

test('closing ends with the last process of the browser, which may still write to the profile', async () => {
  const shell = ['-c', 'cat <&3 & exit 0'];
  const child = spawn('sh', shell, { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
  const process = (): ChildProcess => child;
  const browser = Object.assign(new EventEmitter(), { process, close: () => Promise.resolve() });
  const order: string[] = [];
  const closed = closeBrowser(browser as never).then(() => order.push('closed'));
  await once(child, 'exit');
  order.push('the last process ends');
  (child.stdio[3] as Writable).end();
  await closed;
  expect(order).toEqual(['the last process ends', 'closed']);
});

test('a lost connection has its own error code', async () => {
  const browser = started(never);
  const gone = browserGone(browser);
  browser.emit('disconnected', undefined);
  await expect(gone).rejects.toMatchObject({ code: 'CS_BROWSER_GONE' });
});
