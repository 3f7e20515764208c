import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nbdServersIn } from '@cachescope/harness/storage/journal/processes-naming.ts';
import type { ProcessIdentity } from '@cachescope/harness/storage/journal/process-identity.ts';
import { leftBehind, reap } from '@cachescope/harness/storage/journal/reaper.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { tracesOf } from '../disk-traces.ts';
import { hangLimitMs } from '../hang-limit.ts';
import { privilege, skipReason, state } from '../storage-under-test.ts';

/** Things that the journals list as about to be created; the first is the work directory. */
function recorded(): string[] {
  const journals = join(state, 'cachescope', 'storage');
  if (!existsSync(journals)) return [];
  // A draft can be renamed or removed at any moment.
  const names = readdirSync(journals).filter((name) => !name.endsWith('.draft'));
  const texts = names.map((name) => readFileSync(join(journals, name), 'utf8'));
  return texts.flatMap((text) => text.split('\n').filter((line) => line.includes('"make"')));
}

describe.skipIf(skipReason !== null)(
  'a SIGKILL between a journal entry and the creation of the thing',
  () => {
    test.for([1, 2, 3, 4])('entry %i: the next start removes everything', async (entries) => {
      const fixture = join(import.meta.dirname, '../attach-and-wait.ts');
      const child = spawn(process.execPath, [fixture], { stdio: ['ignore', 'ignore', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      const isRecorded = () => recorded().length >= entries;
      await vi.waitUntil(isRecorded, { interval: 1, timeout: hangLimitMs });
      child.kill('SIGKILL');
      await once(child, 'close');
      const [, workDirectory = ''] = /"path":"([^"]+)"/.exec(recorded()[0] ?? '') ?? [];
      expect(workDirectory).toContain('cachescope-disk-');
      const said: string[] = [];
      const failures = await reap(privilege, (line) => said.push(line));
      expect(failures, said.join('\n')).toBe(0);
      expect(tracesOf(workDirectory, nbdServersIn(workDirectory))).toEqual([]);
      expect(recorded()).toEqual([]);
    });
  },
);

describe.skipIf(skipReason !== null)('after a SIGKILL', () => {
  let child: ChildProcess;
  let directory = '';
  let servers: ProcessIdentity[] = [];
  let foreignLoop = '';

  beforeAll(async () => {
    const foreignFile = join(state, 'foreign.img');
    writeFileSync(foreignFile, '');
    truncateSync(foreignFile, 1024 * 1024);
    foreignLoop = (await privilege.run(['losetup', '--find', '--show', foreignFile])).trim();

    const fixture = join(import.meta.dirname, '../attach-and-wait.ts');
    child = spawn(process.execPath, [fixture], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
    directory = line.toString().trim();
    servers = nbdServersIn(dirname(directory));
  });
  afterAll(async () => {
    child.kill('SIGKILL');
    await reap(privilege, () => undefined);
    await privilege.run(['losetup', '-d', foreignLoop]);
  });

  test('things created by a running program are left alone', async () => {
    await reap(privilege, () => undefined);
    expect(existsSync(join(directory, 'cachescope-probe'))).toBe(true);
  });

  test('the next start removes everything that the killed program left, and nothing else', async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
    const left = tracesOf(dirname(directory), servers);
    // Two mounts, a loop device, nbdfuse, nbdkit, the directory: all are left after the SIGKILL.
    expect(left).toHaveLength(6);

    const said: string[] = [];
    await reap(privilege, (line) => said.push(line));
    expect(said).toEqual([expect.stringContaining(`process ${child.pid} left behind`)]);
    expect(tracesOf(dirname(directory), servers)).toEqual([]);
    expect(leftBehind()).toEqual([]);
    const loops = execFileSync('losetup', ['--list', '--noheadings'], { encoding: 'utf8' });
    expect(loops).toContain(foreignLoop);

    await reap(privilege, (line) => said.push(line));
    expect(said).toHaveLength(1);
  });
});
