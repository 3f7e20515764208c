import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { createPrivilege, type Privilege } from '../privilege.ts';
import { chromiumVersion, requireChromium } from './chromium.ts';

// A machine without a browser.
const home = mkdtempSync(join(tmpdir(), 'cachescope-chromium-test-'));
vi.stubEnv('HOME', home);
vi.stubEnv('PATH', home);
vi.stubEnv('CHROME_PATH', '');
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

const privilege: Privilege = {
  ...createPrivilege({ dryRun: false, say: () => undefined }),
  run: () => Promise.reject(new Error('nothing is installed here')),
};

const requiredOn = (release: string) => {
  return requireChromium(undefined, privilege, () => undefined, release);
};

test.each(['NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian', 'ID="ubuntu"'])(
  'on Ubuntu, whose package is a snap, none is installed: %j',
  async (release) => {
    await expect(requiredOn(release)).rejects.toMatchObject({
      code: 'CS_BROWSER_MISSING',
      exitCode: 3,
      hint: expect.stringContaining('--browser PATH'),
    });
  },
);

test.each(['ID=debian', 'ID=linuxmint\nID_LIKE="ubuntu debian"'])(
  'elsewhere the package is for any measurement: %j',
  async (release) => {
    await expect(requiredOn(release)).rejects.toMatchObject({
      code: 'CS_PACKAGES',
      message: expect.stringMatching(/^Measuring needs chromium/),
    });
  },
);

test('the version of a program that fails is unknown', async () => {
  expect(await chromiumVersion('/bin/false')).toBeNull();
});
