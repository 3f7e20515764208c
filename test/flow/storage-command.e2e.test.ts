import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimMachine } from '@cachescope/harness/storage/journal/machine-claim.ts';
import { describe, expect, test } from 'vitest';
import {
  base,
  cachescope,
  environmentIn,
  expectNothingLeft,
  lacking,
} from '../command-under-test.ts';

/** Where the command line under test keeps its journals of things to remove. */
const journals = join(base, 'state', 'cachescope', 'storage');

/** A correct warning on a busy machine. */
const longerThanAsked = 'Warning: measured delay is outside tolerance\n';

describe.skipIf(lacking)('cachescope storage', () => {
  const nbd = ['--storage', 'nbd-delay'];

  test.each(['nbd-delay', 'nbd-live'])(
    '%s goes up, changes its delay, reports its state, is kept by the cleanup, and goes down',
    async (kind) => {
      const slow = ['--storage', kind];
      const up = await cachescope('storage', 'up', ...slow, '--delay', '3');
      const directory = /^directory +(\S+)$/m.exec(up.stdout)?.[1] ?? '';
      try {
        expect(up.code).toBe(0);
        expect(['', longerThanAsked]).toContain(up.stderr);
        expect(up.stdout).toMatch(/^requested +3 ms/m);
        writeFileSync(join(directory, 'kept'), 'kept');

        const second = await cachescope('storage', 'up', ...slow);
        expect(second).toMatchObject({ code: 1, stdout: '' });
        expect(second.stderr).toContain('CS_STORAGE_UP');

        expect((await cachescope('clean')).stdout).toBe('Nothing was left behind.\n');
        const set = await cachescope('storage', 'set', '12');
        expect(Number(/^measured +(\d+\.\d+)/m.exec(set.stdout)?.[1])).toBeGreaterThan(11.8);
        expect((await cachescope('storage', 'status')).stdout).toMatch(/^requested +12 ms/m);
        expect(readFileSync(join(directory, 'kept'), 'utf8')).toBe('kept');
      } finally {
        expect(await cachescope('storage', 'down')).toMatchObject({ code: 0, stderr: '' });
        expect(existsSync(directory)).toBe(false);
        expectNothingLeft();
      }
      expect((await cachescope('storage', 'down')).stderr).toBe('No storage is up.\n');
      expect((await cachescope('storage', 'status')).stderr).toContain('CS_STORAGE_DOWN');
    },
  );

  test('a disk that was brought up in another mount namespace goes down from here', async () => {
    const words = ['storage', 'up', ...nbd, '--delay', '1'];
    const cli = join(import.meta.dirname, '../../harness/cli.ts');
    const options = { env: environmentIn(base), stdio: 'pipe' } as const;
    execFileSync('unshare', ['-m', process.execPath, cli, ...words], options);
    const down = await cachescope('storage', 'down');
    expect(down.code, down.stderr).toBe(0);
    expectNothingLeft();
    expect(readdirSync(journals)).toEqual([]);
  });

  test('a disk with a profile is expected to take the median of the profile in addition to the delay', async () => {
    const up = await cachescope('storage', 'up', '--storage', 'nbd-live', '--profile', 'hard-disk');
    try {
      const drawnMs = Number(/^requested +(\S+) ms/m.exec(up.stdout)?.[1]);
      expect(drawnMs).toBeGreaterThan(1);
      const requested = async (...words: string[]) =>
        Number(/^requested +(\S+) ms/m.exec((await cachescope('storage', ...words)).stdout)?.[1]);
      expect(await requested('status')).toBe(drawnMs);
      expect(await requested('set', '3')).toBeCloseTo(drawnMs + 3, 9);
      expect(await requested('status')).toBeCloseTo(drawnMs + 3, 9);
    } finally {
      expect(await cachescope('storage', 'down')).toMatchObject({ code: 0, stderr: '' });
      expectNothingLeft();
    }
  });

  test('of two concurrent "storage up" commands one is refused, and only one storage is up', async () => {
    const both = await Promise.all([1, 2].map(() => cachescope('storage', 'up', ...nbd)));
    try {
      const [refused, ...others] = both.filter(({ code }) => code !== 0);
      expect(others).toEqual([]);
      // Before the other storage is up, or after it.
      expect(refused?.stderr).toMatch(/^CS_STORAGE_(IN_USE|UP): /);
    } finally {
      expect(await cachescope('storage', 'down')).toMatchObject({ code: 0, stderr: '' });
    }
    expectNothingLeft();
    expect(readdirSync(journals)).toEqual([]);
  });

  test('a dry run shows every privileged command and creates nothing', async () => {
    const before = readdirSync(journals);
    const { code, stderr } = await cachescope('storage', 'up', ...nbd, '--delay', '5', '--dry-run');
    expect(code).toBe(0);
    expect(stderr).toMatch(/nbdkit .*rdelay=5ms wdelay=0ms\nnbdfuse/);
    expect(stderr).toMatch(/mount -t ext4 -o noatime/);
    expect(readdirSync(journals)).toEqual(before);
  });

  test('a disk is not recorded during a run, because each would disturb the other', async () => {
    const { CACHESCOPE_LOCK_DIRECTORY: directory = '' } = environmentIn(base);
    mkdirSync(directory, { recursive: true });
    using _claim = await claimMachine({ wait: false, say: () => undefined, directory });
    const out = join(base, 'profile.json');
    const busy = await cachescope('storage', 'record', '/dev/null', '--out', out);
    expect(busy).toMatchObject({ code: 3, stdout: '' });
    expect(busy.stderr).toContain(`CS_BUSY: process ${process.pid} of user `);
  });

  test('all problems of a command line are reported at once', async () => {
    const bad = ['--delay', '5x', '--storage', 'tape', '--fast'];
    const { code, stdout, stderr } = await cachescope('storage', 'up', ...bad);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/"5x"/);
    expect(stderr).toMatch(/tape/);
    expect(stderr).toMatch(/--fast/);
    expect((await cachescope('storage', 'set', '10001')).code).toBe(2);
  });
});
