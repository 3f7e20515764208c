import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startIn } from './start.ts';

test('the browser leaves signals to its program, which would otherwise end before it cleans up', async () => {
  const launch = vi.spyOn(puppeteer, 'launch').mockRejectedValue(new Error('no browser'));
  const directory = mkdtempSync(join(tmpdir(), 'start-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  await expect(startIn(directory, 'chromium')).rejects.toThrow('no browser');
  const none = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  expect(launch.mock.calls[0]?.[0]).toMatchObject(none);
  launch.mockRestore();
});
