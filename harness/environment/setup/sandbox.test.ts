import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lacksSandbox, sandboxHelper, userNamespaceDenial } from './sandbox.mjs';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

test('what unshare says is the reason; where it succeeds there is none', () => {
  vi.stubEnv('PATH', `${directory}:/usr/bin:/bin`);
  const unshare = (script: string) =>
    writeFileSync(join(directory, 'unshare'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  unshare('exit 0');
  expect(userNamespaceDenial()).toBeNull();
  unshare('echo "unshare: unshare failed: Operation not permitted" >&2; exit 1');
  expect(userNamespaceDenial()).toMatch(
    /^User namespaces are denied \(.*Operation not permitted\)$/,
  );
});

test('a helper beside the browser counts only with the setuid bit', () => {
  const [browser, helper] = ['chrome', 'chrome-sandbox'].map((name) => join(directory, name));
  for (const path of [browser, helper]) writeFileSync(path ?? '', '', { mode: 0o755 });
  const ofDebian = sandboxHelper(process.execPath);
  expect(sandboxHelper(browser ?? '')).toBe(ofDebian);
  chmodSync(helper ?? '', 0o4755);
  expect(sandboxHelper(browser ?? '')).toBe(helper);
});

test('root needs no helper, and other browsers than Debian’s bring their own', () => {
  vi.spyOn(process, 'getuid').mockReturnValue(1000);
  expect(lacksSandbox('/opt/google/chrome/chrome')).toBe(false);
  vi.spyOn(process, 'getuid').mockReturnValue(0);
  expect(lacksSandbox('/usr/bin/chromium')).toBe(false);
});
