import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { journalsHere } from '../storage/journal/journals.ts';
import { inBriefBrowser } from './brief-browser.ts';

const state = mkdtempSync(join(tmpdir(), 'brief-browser-test-'));
beforeAll(() => void vi.stubEnv('XDG_STATE_HOME', state));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(state, { recursive: true });
});

/** A browser without a process, and the directory that it was started in. */
function brief() {
  const close = vi.fn(async () => undefined);
  const browser = { close, process: () => null } as unknown as Browser;
  const started = vi.fn(async (_directory: string) => browser);
  return { close, started, directory: () => started.mock.calls[0]?.[0] ?? '' };
}

const ownJournals = () => journalsHere().filter(({ head }) => head.owner.pid === process.pid);

test('the browser is used in a journaled directory, which is removed at the end', async () => {
  const { close, started, directory } = brief();
  const used = await inBriefBrowser('program', started, async () => {
    expect(existsSync(directory())).toBe(true);
    expect(ownJournals().flatMap(({ entries }) => entries)).toMatchObject([
      { made: { kind: 'directory', path: directory() } },
    ]);
    return 'used';
  });
  expect(used).toBe('used');
  expect(close).toHaveBeenCalledOnce();
  expect([existsSync(directory()), ownJournals()]).toEqual([false, []]);
});

test('a signal ends the use, and has its effect only after everything is removed', async () => {
  const { close, started, directory } = brief();
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    expect(close).toHaveBeenCalledOnce();
    expect([existsSync(directory()), ownJournals()]).toEqual([false, []]);
    expect(process.listenerCount('SIGTERM')).toBe(before);
    return true;
  });
  const before = process.listenerCount('SIGTERM');
  const use = () => {
    process.emit('SIGTERM', 'SIGTERM');
    return new Promise<never>(() => undefined);
  };
  await expect(inBriefBrowser('program', started, use)).rejects.toThrow('interrupted by SIGTERM');
  expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, 'SIGTERM');
  kill.mockRestore();
});
