import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { requireChromiumOfPlan } from './plan-file.ts';

const base = mkdtempSync(join(tmpdir(), 'cachescope-chromium-test-'));
afterAll(() => rmSync(base, { recursive: true }));
const browser = join(base, 'chromium');
writeFileSync(browser, '#!/bin/sh\necho "Chromium 141.0.7390.54"\n');
chmodSync(browser, 0o755);

test('another Chromium than that of the plan is refused with both versions', async () => {
  await expect(requireChromiumOfPlan('140.0.1.2', browser)).rejects.toMatchObject({
    code: 'CS_PLANS_DIFFER',
    exitCode: 3,
    message: `the plan is for Chromium 140.0.1.2; ${browser} is 141.0.7390.54`,
  });
});

test.each([
  ['the same version', '141.0.7390.54', browser],
  ['a plan for any', null, browser],
  ['a run without a browser', '140.0.1.2', ''],
])('%s is accepted', async (_, wanted, path) => {
  await expect(requireChromiumOfPlan(wanted, path)).resolves.toBeUndefined();
});
