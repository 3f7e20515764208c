import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readRunOf } from '../harness/results/run-directory.ts';
import { base, cachescope, expectNothingLeft, lacking, start } from './command-under-test.ts';

const small = ['--workload', 'synthetic:100kb', '--storage', 'nbd-delay', '--env', 'skip'];

async function until(condition: () => boolean, limitMs = 60_000): Promise<void> {
  for (const end = Date.now() + limitMs; !condition() && Date.now() < end;) await sleep(50);
  expect(condition()).toBe(true);
}

describe.skipIf(lacking)('what can go wrong in a sweep', () => {
  test('with reads that fail, what Chromium did is told, and no false number is used', async () => {
    const out = join(base, 'bad-reads');
    const bad = ['--bad-reads', '0.3', '--seed', '5', '--samples', '12', '--launches', '1'];
    const ended = await cachescope('sweep', '0', '0', '1', ...small, ...bad, '--out', out);
    expect([0, 4], ended.stderr).toContain(ended.code);
    const { run, samples } = await readRunOf('sweep', out);
    const slow = samples.filter(
      ({ kind, cell }) => kind === 'timed' && cell.storage === 'nbd-delay',
    );
    const spoilt = slow.filter(({ flags }) => flags.length > 0);
    expect(spoilt.length).toBeGreaterThan(0);
    for (const { flags, bodySha256, originRequests } of slow) {
      const isWhole = bodySha256 === run.plan.workload.resourceSha256;
      if (flags.length === 0) expect([isWhole, originRequests]).toEqual([true, 0]);
      if (bodySha256 === '') expect(flags).toContain('read-failed');
      else if (!isWhole) expect(flags).toContain('wrong-body');
      if (originRequests > 0) expect(flags).toContain('origin-touched');
    }
    // The control's disk has no bad reads.
    const control = samples.filter(({ cell }) => cell.storage === 'none');
    for (const { flags } of control) expect(flags).toEqual([]);
    expect(ended.stdout).toMatch(/bad reads/);
    expectNothingLeft();
  });

  test('a disk that is full of results ends it in part, and what was taken can be read', async () => {
    const disk = join(base, 'full');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24k', 'cachescope-test', disk]);
    try {
      const out = join(disk, 'run');
      const ended = await cachescope(
        'sweep',
        '1',
        '1',
        '1',
        ...small,
        '--samples',
        '20',
        '--out',
        out,
      );
      expect(ended.code, ended.stderr).toBe(4);
      expect(ended.stderr).toContain('ENOSPC');
      const { samples } = await readRunOf('sweep', out);
      expect(samples.length).toBeGreaterThan(0);
      expect(samples.map(({ sequence }) => sequence)).toEqual(samples.map((_, index) => index));
    } finally {
      execFileSync('umount', [disk]);
    }
    expectNothingLeft();
  });

  test('a second sweep is refused with the pid of the first, or waits for it', async () => {
    const out = join(base, 'first');
    const first = start(['sweep', '1', '1', '1', ...small, '--samples', '2', '--out', out]);
    await until(() => existsSync(join(out, 'samples.ndjson')));
    const second = await cachescope('sweep', '1', '1', '1', ...small);
    expect(second.code).toBe(3);
    expect(second.stderr).toContain('CS_BUSY');
    expect(second.stderr).toContain(`process ${first.child.pid}`);
    const waiting = ['--samples', '1', '--wait', '--out', join(base, 'second')];
    const third = await cachescope('sweep', '1', '1', '1', ...small, ...waiting);
    expect(third.stderr).toContain(`Waiting for process ${first.child.pid}`);
    expect(third.code, third.stderr).toBe(0);
    expect((await first.ended).code).toBe(0);
    expectNothingLeft();
  });
});
