import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startChromium, startIn } from './start.ts';

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'start-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('the browser leaves signals to its program, which would otherwise end before it cleans up', async () => {
  const launch = vi.spyOn(puppeteer, 'launch').mockRejectedValue(new Error('no browser'));
  const directory = temporaryDirectory();
  await expect(startIn(directory, 'chromium')).rejects.toThrow('no browser');
  const none = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  expect(launch.mock.calls[0]?.[0]).toMatchObject(none);
  launch.mockRestore();
});

test('a browser that the kernel refuses to start is an error of its launch, and not the end of this program', async () => {
  const directory = temporaryDirectory();
  const executablePath = join(directory, 'chromium');
  writeFileSync(executablePath, '#!/no/such/interpreter\n', { mode: 0o755 });
  const refused = { code: 'CS_BROWSER_LAUNCH', message: expect.stringContaining('ENOENT') };
  await expect(startIn(directory, executablePath)).rejects.toMatchObject(refused);
  const options = { executablePath, headful: false, profileDirectory: join(directory, 'profile') };
  const cacheDirectory = join(directory, 'cache');
  const started = startChromium({ ...options, cacheDirectory }, (browser) => browser.version());
  await expect(started).rejects.toMatchObject(refused);
});
