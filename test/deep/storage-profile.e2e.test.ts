import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from '@cachescope/model/statistics/quantile.ts';
import { expect, test } from 'vitest';
import { readProfile } from '../../harness/options/profile-reading.ts';
import { type LatencyProfile, latencyTable } from '../../harness/storage/latency-profile.ts';
import { base, cachescope, expectNothingLeft, lacking } from '../command-under-test.ts';

const tail: LatencyProfile = {
  name: 'tail',
  source: 'made up',
  read: { kind: 'lognormal', medianMs: 4, sigma: 0.7 },
};

test.skipIf(lacking)('a disk has the latencies of its profile, as measured by fio', async () => {
  const asked = join(base, 'asked.json');
  writeFileSync(asked, JSON.stringify(tail));
  const up = await cachescope('storage', 'up', '--storage', 'nbd-live', '--profile', asked);
  try {
    expect(up.code, up.stderr).toBe(0);
    const directory = /^directory +(\S+)$/m.exec(up.stdout)?.[1] ?? '';
    const file = join(directory, 'large');
    writeFileSync(file, randomBytes(2 ** 26));
    const out = join(base, 'recorded.json');
    const recorded = await cachescope('storage', 'record', file, '--out', out);
    expect(recorded, recorded.stderr).toMatchObject({ code: 0 });
    const problems: string[] = [];
    const profile = readProfile(out, problems);
    expect(problems).toEqual([]);
    const found = profile ? latencyTable(profile.read) : [];
    // Other work on this computer makes reads longer, never shorter.
    for (const p of [0.05, 0.5, 0.95])
      expect(quantile(found, p)).toBeGreaterThan(
        0.85 * (quantile(latencyTable(tail.read), p) ?? 0) - 0.2,
      );
    // Without this check a constant latency at the largest of these quantiles would pass too.
    expect(found[0]).toBeLessThan(3);
  } finally {
    expect(await cachescope('storage', 'down')).toMatchObject({ code: 0 });
    expectNothingLeft();
  }
});
