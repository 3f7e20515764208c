import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { entryObstacle, runIn } from '../../scripts/machines/chroot.ts';
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
