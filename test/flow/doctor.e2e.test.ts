import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { claimMachine } from '@cachescope/harness/storage/journal/machine-claim.ts';
import { describe, expect, test } from 'vitest';
import { featurePresets } from '@cachescope/model/features/presets.ts';
import type { Examination } from '../../harness/environment/doctor.ts';
import { base, cachescope, expectNothingLeft, lacking } from '../command-under-test.ts';

describe('cachescope doctor', () => {
  test('all problems of a command line are reported at once', async () => {
    const { code, stdout, stderr } = await cachescope('doctor', '--env', 'never', '--fast');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/"never"/);
    expect(stderr).toMatch(/--fast/);
  });

  test('a failed check ends with 3 under throw, and with 0 under warn', async () => {
    const refused = ['doctor', '--quick', '--browser', '/no/such/browser'];
    const strict = await cachescope(...refused);
    expect(strict.code).toBe(3);
    expect(strict.stdout).toMatch(/^✗ refused No Chromium was found$/m);
    expect((await cachescope(...refused, '--env', 'warn')).code).toBe(0);
  });

  test('it is refused during another run, because each would disturb the other; its quick checks still run', async () => {
    const directory = join(base, 'lock');
    mkdirSync(directory, { recursive: true });
    const claim = await claimMachine({ wait: false, say: () => undefined, directory });
    try {
      const busy = await cachescope('doctor', '--storage', 'none');
      expect(busy).toMatchObject({ code: 3, stdout: '' });
      expect(busy.stderr).toContain(`CS_BUSY: process ${process.pid} of user `);
      const quick = await cachescope('doctor', '--quick', '--storage', 'none', '--env', 'warn');
      expect(quick.code).toBe(0);
    } finally {
      claim.release();
    }
  });

  test.skipIf(lacking)('launches, calibrates, and leaves nothing behind', async () => {
    const args = ['doctor', '--storage', 'nbd-delay', '--json'];
    const { code, stdout, stderr } = await cachescope(...args);
    expect(code, stderr).toBe(0);
    const { findings, calibration } = JSON.parse(stdout) as Examination;
    expect(findings.find(({ id }) => id === 'timer')).toMatchObject({ status: 'ok' });
    // Each as one that the browser has or lacks.
    const presets = findings.find(({ id }) => id === 'features')?.what.split(/[:,;] /);
    expect(presets).toEqual(expect.arrayContaining(featurePresets.map(({ name }) => name)));
    expect(calibration.map(({ requestedDelayMs }) => requestedDelayMs)).toEqual([
      0, 1, 2, 5, 10, 20, 50,
    ]);
    for (const { requestedDelayMs, p50Ms } of calibration)
      expect(p50Ms).toBeGreaterThanOrEqual(requestedDelayMs);
    expectNothingLeft();
  });

  test.skipIf(lacking)('the text fits 80 columns and has no escape codes', async () => {
    const args = ['doctor', '--storage', 'nbd-delay', '--env', 'warn'];
    const { code, stdout, stderr } = await cachescope(...args);
    expect(code, stderr).toBe(0);
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/\u001b/);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(/^Delay of a direct 4 KiB read on nbd-delay$/m);
  });
});
