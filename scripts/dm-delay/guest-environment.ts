import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import type { Command } from './observations.ts';

/** The project's root. */
export const projectDirectory = dirname(dirname(import.meta.dirname));

/** The first process of the guest. */
export const guestScript = join(import.meta.dirname, 'guest.sh');

/** The line that the guest prints once its first process runs. */
export const upMark = 'guest: up';

/**
 * The task of a guest after its start: `guest-storage.ts` and similar scripts, or nothing. The guest then powers itself
 * off.
 */
export type GuestTask = 'storage' | 'sweep' | 'calibration' | 'probe';

/** The guest's parameters on its kernel's command line: the kernel passes `NAME=value` on as environment variables. */
export interface GuestEnvironment {
  task: GuestTask;
  /** How the guest reaches the output directory. */
  share: 'hostfs' | 'virtiofs';
  outDirectory: string;
  /** Kernel modules to load, in order. */
  modules: readonly string[];
}

/** The parameters for the kernel's command line. */
export function guestWords(environment: GuestEnvironment): string[] {
  const { task, share, outDirectory, modules } = environment;
  return [
    `CACHESCOPE_TASK=${task}`,
    `CACHESCOPE_SHARE=${share}`,
    `CACHESCOPE_OUT=${outDirectory}`,
    `CACHESCOPE_MODULES=${modules.join(':')}`,
    `CACHESCOPE_ROOT=${projectDirectory}`,
    `CACHESCOPE_NODE=${process.execPath}`,
  ];
}

/** Runs a program of the project, for example `harness/cli.ts`, and waits for its end. */
export async function runProgram(file: string, words: readonly string[]): Promise<Command> {
  const path = join(projectDirectory, file);
  const child = spawn(process.execPath, [path, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}
