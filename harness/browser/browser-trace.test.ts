import type { CDPSession } from 'puppeteer-core';
import { expect, test, vi } from 'vitest';
import { traceBrowser } from './browser-trace.ts';

test('a refused trace is an error of the browser, and nothing is measured', async () => {
  const send = vi.fn().mockRejectedValue(new Error('Tracing has already been started'));
  const root = { once: () => undefined, send } as unknown as CDPSession;
  const work = vi.fn();
  await expect(traceBrowser(root, [], work)).rejects.toMatchObject({
    code: 'CS_BROWSER_TRACE',
    message: 'Chromium did not start tracing: Tracing has already been started',
  });
  expect(work).not.toHaveBeenCalled();
});
