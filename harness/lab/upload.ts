import { spawn } from 'node:child_process';
import { CachescopeError } from '../error.ts';

/** The arguments of an upload command, with the run's directory in place of `{}`, or appended where there is none. */
export function uploadWords(command: string, path: string): string[] {
  const words = command.split(/\s+/).filter((word) => word !== '');
  const isPlaced = words.some((word) => word.includes('{}'));
  return isPlaced ? words.map((word) => word.replaceAll('{}', path)) : [...words, path];
}

/**
 * Passes the directory of a run to a user's command, as arguments and without a shell. Its output goes to stderr.
 *
 * @throws CachescopeError CS_UPLOAD; the run's directory is kept.
 */
export async function upload(command: string, path: string): Promise<void> {
  const [program = '', ...words] = uploadWords(command, path);
  const failure = await new Promise<string | null>((resolve) => {
    const child = spawn(program, words, { stdio: ['ignore', 2, 2] });
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? null : `it ended with ${signal ?? `exit code ${code}`}`),
    );
  });
  if (failure === null) return;
  throw new CachescopeError('CS_UPLOAD', `${[program, ...words].join(' ')}: ${failure}`, {
    hint: `The run is in ${path}. Start the same shard again to upload it again.`,
  });
}
