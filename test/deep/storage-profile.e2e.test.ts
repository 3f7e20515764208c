import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '@cachescope/model/statistics/quantile.ts';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { which } from 'zx';
import { installPackages } from '../../harness/environment/packages.ts';
import { createPrivilege } from '../../harness/privilege.ts';
import { type LatencyProfile, latencyTable } from '../../harness/storage/latency-profile.ts';
import { recordProfile } from '../../harness/storage/profile-recording.ts';
import { attachStorage } from '../../harness/storage/storage.ts';
import { whatSlowStorageLacks } from '../slow-storage-need.ts';

const skipReason = await whatSlowStorageLacks();
if (skipReason) process.stderr.write(`Tests of latency profiles are skipped: ${skipReason}\n`);

/** Holds only the journals of this file's tests. */
const state = mkdtempSync(join(tmpdir(), 'storage-profile-e2e-'));
process.env['XDG_STATE_HOME'] = state;
afterAll(() => rmSync(state, { recursive: true }));

const say = (line: string) => void process.stderr.write(`${line}\n`);
const privilege = createPrivilege({ dryRun: false, say: () => undefined });
// `storage record` installs it in the same way.
const hasFio = (await which('fio', { nothrow: true })) !== null;
if (!skipReason) await installPackages(hasFio ? [] : ['fio'], 'recording a disk', privilege, say);

test.skipIf(skipReason !== null)(
  'a disk has the latencies of its profile, as measured by fio',
  async () => {
    const read = { kind: 'lognormal', medianMs: 4, sigma: 0.7 } as const;
    const profile: LatencyProfile = { name: 'tail', source: 'made up', read };
    const disk = await attachStorage({ kind: 'nbd-live', delayWrites: false, privilege, profile });
    onTestFinished(() => disk.detach());
    await disk.setProfile?.(true);
    const file = join(disk.directory, 'large');
    writeFileSync(file, randomBytes(2 ** 26));
    const recorded = await recordProfile(file, 10, privilege);
    const [asked, found] = [profile, recorded].map((each) => latencyTable(each.read));
    // Other work on this computer makes reads longer, never shorter.
    for (const p of [0.05, 0.5, 0.95])
      expect(quantile(found ?? [], p)).toBeGreaterThan(
        0.85 * (quantile(asked ?? [], p) ?? 0) - 0.2,
      );
    // Without this check a constant latency at the largest of these quantiles would pass too.
    expect(found?.[0]).toBeLessThan(3);
  },
);
