import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sample, wasSuspended } from '@cachescope/model/run/sample.ts';
import { afterAll, expect, type RunnerTask, vi } from 'vitest';
import { kernelText } from '../harness/kernel-text.ts';
import { hangLimitMs } from './hang-limit.ts';
import { whatSlowStorageLacks } from './slow-storage-need.ts';

const cli = join(import.meta.dirname, '../harness/cli.ts');
/**
 * A directory for this test file alone, removed at its end. Its name is short: it contains sockets, whose paths are
 * limited to 107 bytes.
 */
export const base = mkdtempSync(join(tmpdir(), 'cs-test-'));
mkdirSync(join(base, 'tmp'));

/**
 * Separate state and temporary directories: leftovers are distinct from those of other processes, and no other process
 * cleans them up.
 */
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
/** The output of each command, printed when a test fails, because the files are removed at the end. */
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
  // A test that failed midway leaves its commands running: they must clean up before their directory is removed.
  for (const child of running.keys()) child.kill('SIGTERM');
  await Promise.all(running.values());
  rmSync(base, { recursive: true });
});

/** Flags of what else happened on the machine: it stood still, or a test beside this one dropped the page cache. */
const machineFlags = new Set<string>(['suspended', 'page-cache-dropped']);

/** The flags of a measurement that are no effect of a busy machine. */
export function ownFlags<Flag extends string>({ flags }: { flags: readonly Flag[] }): Flag[] {
  return flags.filter((flag) => !machineFlags.has(flag));
}

/** The samples of a sweep without those that it took again, because something stood still meanwhile. */
export function lastTaken(samples: readonly Sample[]): Sample[] {
  return samples.filter((sample) => sample.kind === 'companion' || !wasSuspended(sample));
}

/** Why sweeps over slow storage cannot run here, or null when they can. */
export const lacking = await whatSlowStorageLacks();
if (lacking) console.warn(`What needs slow storage is skipped: ${lacking}`);

/** Output of a program, and its exit code. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running command line, as a separate process. */
export interface Started {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Its stderr so far. */
  said: () => string;
  /** Waits until the condition holds; fails, with the command's output, when the command ends first. */
  until: (condition: () => boolean) => Promise<void>;
}

/**
 * Starts the command line. A separate directory has separate state, so commands in different directories can run in
 * parallel.
 */
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

/**
 * Complete lines of a file that a command appends to; empty before the file exists. Text after the last line feed is
 * ignored: it is still being written.
 */
export function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

/** Runs a command and waits for its end. */
export async function cachescope(...args: string[]): Promise<Ended> {
  return start(args).ended;
}

/** Every process with a path of this test in its command line: of any of its directories, or of one. */
export function processesOfThisTest(directory = base): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: commandLine(name) }))
    .filter(({ pid, command }) => pid !== process.pid && command.includes(directory));
}

/** Everything on this machine that refers to a path of this test: mounts, loop devices, processes, files. */
function tracesOf(temporary: string): string[] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const loops = readdirSync('/sys/block')
    .map((name) => join('/sys/block', name, 'loop/backing_file'))
    .map(kernelText);
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

/** Fails when the commands run in a directory left a mount, loop device, process or file. */
export function expectNothingLeftIn(directory: string): void {
  expect(tracesOf(join(directory, 'tmp'))).toEqual([]);
}

/** Fails when this test left a mount, loop device, process or file. */
export function expectNothingLeft(): void {
  expectNothingLeftIn(base);
}
