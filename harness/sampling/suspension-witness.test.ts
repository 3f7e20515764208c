import { type ChildProcess, spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { hangLimitMs } from '../../test/hang-limit.ts';
import { programOf } from '../processes.ts';
import type { Suspension } from './suspension.ts';
import { startSuspensionWitness, type SuspensionWitness } from './suspension-witness.ts';

let witness: SuspensionWitness;
beforeAll(() => (witness = startSuspensionWitness()));
afterAll(() => witness[Symbol.asyncDispose]());

/** A process of this program, and one that it has started in turn. */
async function family(): Promise<{ parent: ChildProcess; child: number }> {
  const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; wait'], { detached: true });
  onTestFinished(() => {
    if (parent.exitCode === null && parent.signalCode === null)
      process.kill(-(parent.pid ?? 0), 'SIGKILL');
  });
  const [line] = (await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve)))
    .toString()
    .split('\n');
  const child = Number(line);
  await vi.waitUntil(() => programOf(child) === 'sleep', { timeout: hangLimitMs });
  return { parent, child };
}

/** The read that is timed here takes this long, ms; its process is stopped for a part of it. */
async function readWith(pid: number, stopMs: number): Promise<string[]> {
  const { suspensions } = await witness.during(async () => {
    await sleep(30);
    process.kill(pid, 'SIGSTOP');
    await sleep(stopMs);
    process.kill(pid, 'SIGCONT');
    await sleep(30);
  });
  return ofProcesses(suspensions).map(({ who, how }) => `${who} ${how}`);
}

/** What a process did not run. A busy machine may have stopped this program too, and then says so. */
function ofProcesses(suspensions: readonly Suspension[]): Suspension[] {
  return suspensions.filter(({ who }) => who.includes('(process '));
}

test('a process that is stopped for 0.2 s is named, and so is one that a process started', async () => {
  const { parent, child } = await family();
  expect(await readWith(parent.pid ?? 0, 200)).toEqual([`sh (process ${parent.pid}) stopped`]);
  expect(await readWith(child, 200)).toEqual([`sleep (process ${child}) stopped`]);
});

test('a process that starts during the read, and one that was stopped before it', async () => {
  const { suspensions } = await witness.during(async () => {
    const { child } = await family();
    await sleep(250);
    process.kill(child, 'SIGSTOP');
    await sleep(200);
  });
  expect(ofProcesses(suspensions).map(({ how }) => how)).toEqual(['stopped']);
  const { parent } = await family();
  parent.kill('SIGSTOP');
  const state = () => readFileSync(`/proc/${parent.pid}/stat`, 'utf8');
  await vi.waitUntil(() => state().includes(') T '), { timeout: hangLimitMs });
  const { suspensions: before } = await witness.during(() => Promise.resolve());
  expect(before).toContainEqual({
    who: `sh (process ${parent.pid})`,
    how: 'stopped',
    ms: expect.any(Number),
  });
});

test('a busy thread and a read without a stop are no suspension', async () => {
  await family();
  const { result: widestGapMs, suspensions } = await witness.during(async () => {
    const start = performance.now();
    let widest = 0;
    for (let last = start; last < start + 400;) {
      // Busy at first, then mostly idle.
      if (last > start + 300) await sleep(5);
      const now = performance.now();
      widest = Math.max(widest, now - last);
      last = now;
    }
    return widest;
  });
  // Where this thread was held up too, the machine did it.
  const isHeldUp = widestGapMs > 60;
  expect(isHeldUp ? ofProcesses(suspensions) : suspensions).toEqual([]);
  await expect(witness.during(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
});

test('a read under way when the witness ends is not waited for without end', async () => {
  const own = startSuspensionWitness();
  const work = Promise.withResolvers<void>();
  const read = own.during(() => work.promise);
  await own.during(() => Promise.resolve());
  await own[Symbol.asyncDispose]();
  work.resolve();
  await expect(read).rejects.toThrow('the suspension witness has ended');
  await expect(own.during(() => Promise.resolve())).rejects.toThrow('has ended');
});

test.each([
  ['this program', (pid: number) => pid],
  ['this program and all that it started', (pid: number) => -pid],
])('%s is stopped for 0.2 s', async (_, target) => {
  const directory = mkdtempSync(join(tmpdir(), 'cachescope-suspended-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'program.mjs');
  const witnessUrl = pathToFileURL(join(import.meta.dirname, 'suspension-witness.ts')).href;
  const program = `
    import { spawn } from 'node:child_process';
    import { startSuspensionWitness } from ${JSON.stringify(witnessUrl)};
    const child = spawn('sleep', ['1000']);
    const witness = startSuspensionWitness();
    const { suspensions } = await witness.during(() => {
      console.log('begun');
      return new Promise((resolve) => process.stdin.once('data', resolve));
    });
    console.log(JSON.stringify(suspensions));
    child.kill();
    process.exit();`;
  writeFileSync(file, program);
  const started = spawn(process.execPath, [file], { detached: true });
  const pid = started.pid ?? 0;
  onTestFinished(() => void (started.exitCode === null && process.kill(-pid, 'SIGKILL')));
  const lines = createInterface(started.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('begun');
  process.kill(target(pid), 'SIGSTOP');
  await sleep(200);
  process.kill(target(pid), 'SIGCONT');
  started.stdin.write('end');
  const found = JSON.parse(String((await lines.next()).value)) as Suspension[];
  expect(found.map(({ who, how }) => `${who} ${how}`)).toContain('Cachescope not run');
});

const hierarchies = [
  ['/sys/fs/cgroup/freezer', 'freezer.state', ['FROZEN', 'THAWED']],
  ['/sys/fs/cgroup/unified', 'cgroup.freeze', ['1', '0']],
  ['/sys/fs/cgroup', 'cgroup.freeze', ['1', '0']],
] as const;
const usable = hierarchies.filter(([path]) => isWritable(`${path}/cgroup.procs`));

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

test.skipIf(usable.length === 0)('a process in a frozen control group (needs root)', async () => {
  for (const [hierarchy, file, [freeze, thaw]] of usable) {
    const group = `${hierarchy}/cachescope-test-${process.pid}`;
    mkdirSync(group);
    const { parent, child } = await family();
    writeFileSync(`${group}/cgroup.procs`, `${child}`);
    const { suspensions } = await witness.during(async () => {
      writeFileSync(`${group}/${file}`, freeze);
      await sleep(200);
      writeFileSync(`${group}/${file}`, thaw);
    });
    process.kill(-(parent.pid ?? 0), 'SIGKILL');
    // A group is empty once its last process has been waited for.
    await vi.waitFor(() => rmdirSync(group), { timeout: hangLimitMs });
    expect(ofProcesses(suspensions).map(({ who, how }) => `${who} ${how}`)).toEqual([
      `sleep (process ${child}) frozen`,
    ]);
  }
});
