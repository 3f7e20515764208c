import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { whatSlowStorageLacks } from './slow-storage-need.ts';

const cli = join(import.meta.dirname, '../harness/cli.ts');
/** A folder for this test file alone; it goes at its end. */
export const base = mkdtempSync(join(tmpdir(), 'cachescope-test-'));
// Places of its own: what it leaves behind can be told from what others make, and nobody cleans up for it.
const temporary = join(base, 'tmp');
mkdirSync(temporary);
const environment = { ...process.env, XDG_STATE_HOME: join(base, 'state'), TMPDIR: temporary };
afterAll(() => rmSync(base, { recursive: true }));

/** Why sweeps over slow storage cannot run here, or null when they can. */
export const lacking = await whatSlowStorageLacks();
if (lacking) console.warn(`What needs slow storage is skipped: ${lacking}`);

/** What a program said, and its exit code. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the command line as a process of its own. */
export function start(args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [cli, ...args], { env: environment });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

/** Runs a command to its end. */
export async function cachescope(...args: string[]): Promise<Ended> {
  return start(args).ended;
}

/** Every process that names a place of this test in its command line. */
export function processesOfThisTest(): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: commandLine(name) }))
    .filter(({ pid, command }) => pid !== process.pid && command.includes(base));
}

/** Everything on this machine that shows a place of this test: mounts, loop devices, processes, files. */
function traces(): string[] {
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

/** Fails when a mount, loop device, process or file of this test is left. */
export function expectNothingLeft(): void {
  expect(traces()).toEqual([]);
}
