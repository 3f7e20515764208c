import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectDirectory } from './guest-environment.ts';
import type { Command } from './observations.ts';

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
