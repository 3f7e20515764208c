import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, type RunnerTask, vi } from 'vitest';
import { hangLimitMs } from './hang-limit.ts';
import { whatSlowStorageLacks } from './slow-storage-need.ts';

const cli = join(import.meta.dirname, '../harness/cli.ts');
/** A folder for this test file alone; it goes at its end. With a short name: below lie sockets, whose paths have 107 bytes. */
export const base = mkdtempSync(join(tmpdir(), 'cs-test-'));
mkdirSync(join(base, 'tmp'));

/** Places of its own: what it leaves behind can be told from what others make, and nobody cleans up for it. */
export function environmentIn(directory: string): NodeJS.ProcessEnv {
  const temporary = join(directory, 'tmp');
  mkdirSync(temporary, { recursive: true });
  return {
    ...process.env,
    XDG_STATE_HOME: join(directory, 'state'),
    CACHESCOPE_LOCK_DIRECTORY: join(directory, 'lock'),
    TMPDIR: temporary,
  };
}

const running = new Map<ChildProcess, Promise<Ended>>();
/** What each command said, to be printed when a test fails: its files go at the end. */
const said: { args: string[]; code: number | null; stdout: string; stderr: string }[] = [];

// oxlint-disable-next-line no-empty-pattern -- the runner demands a pattern here
afterAll(({}, { tasks }) => {
  if (!hasFailed(tasks)) return;
  for (const { args, code, stdout, stderr } of said)
    console.error(`cachescope ${args.join(' ')}: exit code ${code}\n${stderr}\n${stdout}`);
});

function hasFailed(tasks: readonly RunnerTask[]): boolean {
  return tasks.some(
    (task) => task.result?.state === 'fail' || (task.type === 'suite' && hasFailed(task.tasks)),
  );
}

afterAll(async () => {
  // A test that failed midway leaves its commands: they are to clean up before their folder goes.
  for (const child of running.keys()) child.kill('SIGTERM');
  await Promise.all(running.values());
  rmSync(base, { recursive: true });
});

/** Why sweeps over slow storage cannot run here, or null when they can. */
export const lacking = await whatSlowStorageLacks();
if (lacking) console.warn(`What needs slow storage is skipped: ${lacking}`);

/** What a program said, and its exit code. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The command line at work, as a process of its own. */
export interface Started {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** What it has said on stderr so far. */
  said: () => string;
  /** Waits until the condition holds; fails, with what the command said, when the command ends before. */
  until: (condition: () => boolean) => Promise<void>;
}

/** Starts the command line. One in a directory of its own has a state of its own: it runs beside others. */
export function start(args: string[], directory = base): Started {
  const child = spawn(process.execPath, [cli, ...args], { env: environmentIn(directory) });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => {
      running.delete(child);
      said.push({ args, code, stdout, stderr });
      resolve({ code, stdout, stderr });
    });
  });
  running.set(child, ended);
  const until = async (condition: () => boolean) => {
    const options = { timeout: hangLimitMs, interval: 20 };
    await vi.waitUntil(() => !running.has(child) || condition(), options);
    if (!condition()) throw new Error(`the command ended first: ${stderr}`);
  };
  return { child, ended, said: () => stderr, until };
}

/** Whole lines of a file that a command appends to; none before it is there. What stands behind the last line feed is not written yet. */
export function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

/** Runs a command to its end. */
export async function cachescope(...args: string[]): Promise<Ended> {
  return start(args).ended;
}

/** Every process that names a place of this test in its command line: any, or one directory. */
export function processesOfThisTest(directory = base): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: commandLine(name) }))
    .filter(({ pid, command }) => pid !== process.pid && command.includes(directory));
}

/** Everything on this machine that shows a place of this test: mounts, loop devices, processes, files. */
function tracesOf(temporary: string): string[] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const loops = readdirSync('/sys/block')
    .map((name) => join('/sys/block', name, 'loop/backing_file'))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'));
  const commands = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandLine(pid));
  return [
    ...mounts,
    ...loops,
    ...commands,
    ...readdirSync(temporary).map((name) => join(temporary, name)),
  ].filter((line) => line.includes(temporary));
}

/** Empty for a process that has just ended. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Fails when a mount, loop device, process or file is left of the commands that ran in a directory. */
export function expectNothingLeftIn(directory: string): void {
  expect(tracesOf(join(directory, 'tmp'))).toEqual([]);
}

/** Fails when a mount, loop device, process or file of this test is left. */
export function expectNothingLeft(): void {
  expectNothingLeftIn(base);
}
