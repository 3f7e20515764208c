import { printable, printableJson, printableLines } from '@cachescope/model/printable.ts';
import { constants, readlinkSync } from 'node:fs';
import { styleText } from 'node:util';
import { CachescopeError, usageError } from './error.ts';
import { kernelText } from './kernel-text.ts';

// Much of the output comes from pages and files of others: it is escaped here, and nowhere else.

/** A line for stderr: progress, warnings, errors. */
export function say(line: string): void {
  process.stderr.write(`${printableLines(line)}\n`);
}

/** A command of a workflow for its CI system (`::error title=...::...`): the one line that may begin like one. */
export function sayWorkflowCommand(command: string): void {
  process.stderr.write(`${printable(command)}\n`);
}

/**
 * Refuses to print what nobody would receive, where nothing else comes of a command. Node opens /dev/null in place of a
 * closed stdout, for reading too; a shell's `> /dev/null` is for writing only. Programs that ignore an output do like Node.
 *
 * @throws CachescopeError CS_SYSTEM.
 */
export function requireStdout(): void {
  const flags = /^flags:\s+(\d+)$/m.exec(kernelText('/proc/self/fdinfo/1'))?.[1] ?? '';
  const isReadToo =
    (Number.parseInt(flags, 8) & (constants.O_WRONLY | constants.O_RDWR)) === constants.O_RDWR;
  if (!isReadToo || linkOf('/proc/self/fd/1') !== '/dev/null') return;
  throw new CachescopeError('CS_SYSTEM', 'stdout is closed: nothing was printed', {
    hint: 'Write it to a file: > FILE',
  });
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** Text for stdout, including its last line feed: a result. */
export function show(text: string): void {
  process.stdout.write(printableLines(text));
}

/** NO_COLOR (no-color.org) takes precedence; otherwise a terminal has colours. */
export function hasColour(): boolean {
  return process.stdout.isTTY && !process.env['NO_COLOR'];
}

/** Columns of a screen: those of the terminal, up to a width that is still read with ease; 80 where there is none. */
export function screenColumns(): number {
  return process.stdout.isTTY ? Math.max(40, Math.min(process.stdout.columns, 120)) : 80;
}

/** A result on one screen, with the first line, the answer, in bold. */
export function showScreen(text: string): void {
  const [answer = '', ...lines] = printableLines(text).split('\n');
  const first = hasColour() ? styleText('bold', answer, { validateStream: false }) : answer;
  process.stdout.write([first, ...lines].join('\n'));
}

/** A result for stdout as JSON. */
export function showJson(value: object): void {
  process.stdout.write(`${printableJson(JSON.stringify(value, null, 2))}\n`);
}

/** Ends the command with an exit code. 0 leaves the code of output that could not be written. */
export function endWith(exitCode: number): void {
  process.exitCode = exitCode || (process.exitCode ?? 0);
}

/** Bytes for a file or another program on stdout: a terminal would interpret some of them as control codes. */
export function showBytes(bytes: Uint8Array): void {
  if (process.stdout.isTTY)
    throw usageError(['this form is binary and stdout is a terminal; write it to a file: > FILE']);
  process.stdout.write(bytes);
}
