import { printableJson, printableLines } from '@cachescope/model/printable.ts';
import { usageError } from './error.ts';

// Much of the output comes from pages and files of others: it is escaped here, and nowhere else.

/** A line for stderr: progress, warnings, errors. */
export function say(line: string): void {
  process.stderr.write(`${printableLines(line)}\n`);
}

/** Text for stdout, including its last line feed: a result. */
export function show(text: string): void {
  process.stdout.write(printableLines(text));
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
