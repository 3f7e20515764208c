import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { benchObstacle } from '../../scripts/machines/bench.ts';
import { entryObstacle, runIn } from '../../scripts/machines/chroot.ts';
import { makeBase } from '../../scripts/machines/machine.ts';
import { stable, users } from '../../scripts/machines/release.ts';
import { tryFirstCommand } from '../../scripts/machines/trial.ts';
import { hangLimitMs } from '../hang-limit.ts';

const obstacle = entryObstacle();
if (obstacle !== null) console.warn(`Chroots are not tested: ${obstacle}`);

test.skipIf(obstacle !== null)('a machine holds no disk of another run', async () => {
  const base = mkdtempSync(join(tmpdir(), 'machines-test-'));
  const image = join(base, 'image');
  const disk = join(base, 'cachescope-disk-00000000');
  onTestFinished(() => {
    spawnSync('umount', ['--lazy', disk]);
    rmSync(base, { recursive: true });
  });
  mkdirSync(disk);
  execFileSync('truncate', ['--size', '16M', image]);
  execFileSync('mkfs.ext4', ['-q', image]);
  execFileSync('mount', ['-o', 'loop', image, disk]);
  const started = join(base, 'started');
  // The machine is this system itself; it waits until the disk has been removed.
  const script = `mkfifo ${started}.go; : > ${started}; read -r _ < ${started}.go; grep -c ${disk} /proc/self/mounts`;
  const machine = runIn({ path: '/' }, ['sh', '-c', script]);
  await vi.waitUntil(() => existsSync(started), { timeout: hangLimitMs });
  execFileSync('umount', [disk]);
  // The kernel removes the loop device with its last mount, in whatever namespace.
  const devices = execFileSync('losetup', ['--associated', image], { encoding: 'utf8' });
  execFileSync('sh', ['-c', `echo > ${started}.go`]);
  expect(devices).toBe('');
  expect(await machine).toMatchObject({ code: 1, stdout: '0\n' });
});

const noMachine = await benchObstacle((line) => console.warn(line));
if (noMachine !== null) console.warn(`No new machine is tried: ${noMachine}`);

/**
 * Debian's current stable release only, and all users at once: one after another, and with the other releases, as in `npm run
 * test:machines`, they take about half an hour.
 */
describe.skipIf(noMachine !== null)(`the README's first command on a new ${stable}`, () => {
  const place = mkdtempSync('/var/tmp/cachescope-machines-');
  let base: string;
  beforeAll(async () => {
    base = await makeBase(stable, place);
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  test.concurrent.each(users)('%s: a result, or the whole message', async (user) => {
    const { problems } = await tryFirstCommand(stable, user, { base, place });
    expect(problems).toEqual([]);
  });
});
