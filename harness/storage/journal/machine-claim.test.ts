import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hangLimitMs } from '../../../test/hang-limit.ts';
import { claimMachine, lockDirectory } from './machine-claim.ts';
import { identityOf } from './process-identity.ts';

let directory = '';
let said: string[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'claim-test-'));
  said = [];
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

const claim = (wait: boolean) => claimMachine({ wait, say: (line) => said.push(line), directory });

test('a second run is refused with the pid and the command line of the first', async () => {
  const first = await claim(false);
  const second = claim(false);
  await expect(second).rejects.toMatchObject({ code: 'CS_BUSY', exitCode: 3 });
  await expect(second).rejects.toThrow(new RegExp(`process ${process.pid} of user \\d+ \\(.*node`));
  first.release();
  first.release();
  (await claim(false)).release();
  expect(readdirSync(directory)).toEqual([]);
});

test('a waiting run reports whom it waits for, and gets the machine when it is free', async () => {
  const first = await claim(false);
  const second = claim(true);
  await expect.poll(() => said, { timeout: hangLimitMs }).toHaveLength(1);
  expect(said[0]).toMatch(new RegExp(`^Waiting for process ${process.pid} `));
  first.release();
  (await second).release();
});

test('of many that start at once, one gets it', async () => {
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => claim(false)));
  const won = all.filter((result) => result.status === 'fulfilled');
  expect(won).toHaveLength(1);
  won[0]?.value.release();
});

test('another state directory is the same machine; another lock directory is for tests', async () => {
  vi.stubEnv('CACHESCOPE_LOCK_DIRECTORY', directory);
  vi.stubEnv('XDG_STATE_HOME', join(directory, 'one'));
  const machine = { wait: false, say: () => undefined };
  const first = await claimMachine(machine);
  vi.stubEnv('XDG_STATE_HOME', join(directory, 'other'));
  await expect(claimMachine(machine)).rejects.toMatchObject({ code: 'CS_BUSY' });
  vi.stubEnv('CACHESCOPE_LOCK_DIRECTORY', join(directory, 'lock'));
  (await claimMachine(machine)).release();
  first.release();
});

test('neither the state directory nor TMPDIR or HOME moves the lock of the machine', () => {
  for (const name of ['XDG_STATE_HOME', 'TMPDIR', 'HOME']) vi.stubEnv(name, directory);
  vi.stubEnv('CACHESCOPE_LOCK_DIRECTORY', undefined);
  expect(lockDirectory()).toBe('/tmp');
});

test('a lock directory that others can change is refused', async () => {
  mkdirSync(join(directory, 'open'));
  chmodSync(join(directory, 'open'), 0o777);
  vi.stubEnv('CACHESCOPE_LOCK_DIRECTORY', join(directory, 'open'));
  const claimed = claimMachine({ wait: false, say: () => undefined });
  await expect(claimed).rejects.toMatchObject({ code: 'CS_LOCK', exitCode: 3 });
});

test('files that another user put in the place of the lock, and made-up holders, do not block a run', async () => {
  // A link and a directory simulate files that cannot be opened as a file of this user.
  symlinkSync('/etc/hostname', join(directory, `cachescope-run-${process.geteuid?.()}`));
  for (const name of ['1-1-000000000000', `${process.pid}-1-000000000000`, 'x', '99999999999-1'])
    writeFileSync(join(directory, `cachescope-holder-${name}`), '');
  const first = await claim(false);
  await expect(claim(false)).rejects.toMatchObject({ code: 'CS_BUSY' });
  first.release();
});

const isRoot = process.geteuid?.() === 0;
if (!isRoot)
  process.stderr.write(
    'The test with files of another user is skipped: only root can make them.\n',
  );

test.skipIf(!isRoot)(
  'a lock that another user made and holds, and a holder that it names, do not block a run',
  async () => {
    const lock = join(directory, 'cachescope-run-0');
    const { pid, startTime } = identityOf(process.pid) ?? { pid: 0, startTime: 0 };
    const holder = join(directory, `cachescope-holder-${pid}-${startTime}-000000000000`);
    for (const path of [lock, holder]) {
      writeFileSync(path, '', { mode: 0o600 });
      chownSync(path, 65_534, 65_534);
    }
    const other = spawn('flock', [lock, 'sh', '-c', 'echo held; read line']);
    await once(other.stdout, 'data');
    try {
      (await claim(false)).release();
    } finally {
      other.stdin.end();
      await once(other, 'exit');
    }
  },
);

test('no other user can take the lock of this user: its file is not accessible to others', async () => {
  const first = await claim(false);
  const names = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777);
  expect(names).toEqual([0o600, 0o600]);
  first.release();
});

test('a killed holder holds nothing', async () => {
  const script = `
    const { claimMachine } = await import(${JSON.stringify(import.meta.resolve('./machine-claim.ts'))});
    await claimMachine({ wait: false, say() {}, directory: ${JSON.stringify(directory)} });
    console.log('held');
    setTimeout(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(child.stdout, 'data');
  await expect(claim(false)).rejects.toThrow(`process ${child.pid} `);
  child.kill('SIGKILL');
  await once(child, 'close');
  (await claim(false)).release();
  expect(readdirSync(directory)).toEqual([]);
});
