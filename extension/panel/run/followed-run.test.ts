import { madeUpReclaimRun, madeUpReclaimWindow } from '@cachescope/model/fixtures/reclaim.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { followRun } from './followed-run.ts';

test('a run that ends while it is followed is complete, and nothing is said to be missing', async () => {
  const file = [0, 1, 2].map((second) => `${JSON.stringify(madeUpReclaimWindow(second))}\n`);
  const run = madeUpReclaimRun();
  const parts = [file.slice(0, 2), file.slice(2), []];
  const ended = { ...run, lineCount: 3 };
  const runs = [{ ...run, status: 'running' }, ended, ended];
  vi.useFakeTimers();
  vi.stubGlobal('document', { querySelector: () => ({ dataset: { follow: '' } }) });
  vi.stubGlobal('fetch', async (path: string) =>
    path === 'run.json' ? Response.json(runs.shift()) : new Response(parts.shift()?.join('')),
  );
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const shown: unknown[] = [];
  followRun((document, text) => {
    if (document) shown.push([document.lines.length, document.run.warnings, text]);
  });
  await vi.runAllTimersAsync();
  const whole = [3, [], 'The run has ended: complete'];
  expect(shown).toEqual([[2, [], 'Live: 2 s so far'], whole, whole]);
});
