import { spawn } from 'node:child_process';
import { printable } from '@cachescope/model/printable.ts';
import { CachescopeError } from '../error.ts';
import { commandText } from '../privilege.ts';

/** The arguments of an upload command, with the run's directory in place of `{}`, or appended where there is none. */
export function uploadWords(command: string, path: string): string[] {
  const words = command.split(/\s+/).filter((word) => word !== '');
  const isPlaced = words.some((word) => word.includes('{}'));
  return isPlaced ? words.map((word) => word.replaceAll('{}', path)) : [...words, path];
}

/**
 * Passes the directory of a run to a user's command, as arguments and without a shell. Its output goes to stderr.
 *
 * @param isCompleteShard whether the same command, started again, only uploads.
 * @throws CachescopeError CS_UPLOAD; the run's directory is kept.
 */
export async function upload(
  command: string,
  path: string,
  isCompleteShard: boolean,
): Promise<void> {
  const [program = '', ...words] = uploadWords(command, path);
  const failure = await new Promise<string | null>((resolve) => {
    const child = spawn(program, words, { stdio: ['ignore', 2, 2] });
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? null : `it ended with ${signal ?? `exit code ${code}`}`),
    );
  });
  if (failure === null) return;
  const typed = commandText([program, ...words]);
  throw new CachescopeError('CS_UPLOAD', `${typed}: ${failure}`, {
    hint: isCompleteShard
      ? `The run is in ${printable(path)}. Start the same shard again: it only uploads.`
      : `The measurements are kept in ${printable(path)}. Upload them by hand: ${typed}`,
  });
}

/**
 * Uploads the directory of a run that has ended, and returns the run's exit code. When that is not 0, it is kept where
 * the upload fails too, and `say` is called with the error.
 *
 * @throws CachescopeError CS_UPLOAD for a run that ended with 0.
 */
export async function uploadEnded(
  command: string,
  path: string,
  { exitCode, isShard, say }: { exitCode: number; isShard: boolean; say: (line: string) => void },
): Promise<number> {
  try {
    await upload(command, path, isShard && exitCode === 0);
  } catch (error) {
    if (exitCode === 0) throw error;
    say(String(error));
  }
  return exitCode;
}
