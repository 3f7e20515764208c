import { existsSync } from 'node:fs';
import { argumentsOf } from '@cachescope/harness/processes.ts';
import { identityOf, isRunning } from '@cachescope/harness/storage/journal/process-identity.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findChromium } from '../../harness/browser/find.ts';
import { networkServicePid } from '../../harness/browser/network-service.ts';
import { startIn } from '../../harness/browser/start.ts';
import { makeWorkDirectory } from '../../harness/storage/journal/work-directory.ts';
import { hangLimitMs } from '../hang-limit.ts';
import { privilege } from '../storage-under-test.ts';

test('a helper of a killed browser ends before its directory is removed', async () => {
  const work = await makeWorkDirectory('run', privilege);
  const browser = await startIn(work.path, (await findChromium(undefined))?.path ?? 'chromium');
  const main = browser.process();
  onTestFinished(() => void main?.kill('SIGKILL'));
  const findHelper = () => identityOf(networkServicePid(main?.pid ?? 0) ?? 0);
  const helper = await vi.waitUntil(findHelper, { timeout: hangLimitMs });
  // It replaces its command line by one text after its start.
  const isNamed = () => argumentsOf(helper.pid)[0]?.includes(' --type=utility');
  await vi.waitUntil(isNamed, { timeout: hangLimitMs });
  // On a busy machine a helper notices late that its browser is gone.
  process.kill(helper.pid, 'SIGSTOP');
  onTestFinished(() => {
    if (isRunning(helper)) process.kill(helper.pid, 'SIGKILL');
  });
  main?.kill('SIGKILL');
  await work.remove();
  expect(isRunning(helper)).toBe(false);
  expect(existsSync(work.path)).toBe(false);
});
