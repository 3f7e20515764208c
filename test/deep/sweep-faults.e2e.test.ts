import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import {
  base,
  cachescope,
  expectNothingLeft,
  lacking,
  linesOf,
  ownFlags,
  start,
} from '../command-under-test.ts';

const small = ['--workload', 'synthetic:100KiB', '--storage', 'nbd-delay', '--env', 'skip'];

describe.skipIf(lacking)('faults during a sweep', () => {
  test('with failing reads, Chromium’s behaviour is reported, and no invalid sample is used', async () => {
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
    expect(control.flatMap(ownFlags)).toEqual([]);
    expect(readFileSync(join(out, 'summary.json'), 'utf8')).toMatch(/bad reads/);
    expectNothingLeft();
  });

  test('when the disk of the results is full, the run is partial and its samples can be read', async () => {
    const disk = join(base, 'full');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24k', 'cachescope-test', disk]);
    try {
      const out = join(disk, 'run');
      const words = ['1', '1', '1', ...small, '--samples', '20', '--out', out];
      const ended = await cachescope('sweep', ...words);
      expect(ended.code, ended.stderr).toBe(4);
      expect(ended.stderr).toContain('ENOSPC');
      expect(ended.stderr).toContain(`npm run report -- ${out} when there is room`);
      expect(ended.stdout).not.toBe('');
      expect(readdirSync(out).filter((name) => name.endsWith('.tmp'))).toEqual([]);
      const { samples } = await readRunOf('sweep', out);
      expect(samples.length).toBeGreaterThan(0);
      expect(samples.map(({ sequence }) => sequence)).toEqual(samples.map((_, index) => index));
    } finally {
      execFileSync('umount', [disk]);
    }
    expectNothingLeft();
  });

  test('when the directory of the results is removed, what was measured is shown', async () => {
    const out = join(base, 'removed');
    const run = start(['sweep', '1', '1', '1', ...small, '--samples', '100', '--out', out]);
    await run.until(() => linesOf(join(out, 'samples.ndjson')).length > 5);
    rmSync(out, { recursive: true });
    const { code, stdout, stderr } = await run.ended;
    expect(code, stderr).toBe(4);
    expect(stderr).toContain('this is all that is left of it');
    expect(stdout).toContain('trust: ');
    expect(existsSync(out)).toBe(false);
    expectNothingLeft();
  });
});
