import { printableJson, printableLines } from '@cachescope/model/printable.ts';
import { usageError } from './error.ts';

// Much of what is printed comes from pages and files of others: here, and nowhere else, it is made harmless.

/** A line for stderr: what happens, warnings, errors. */
export function say(line: string): void {
  process.stderr.write(`${printableLines(line)}\n`);
}

/** Text for stdout, with its last line feed: a result. */
export function show(text: string): void {
  process.stdout.write(printableLines(text));
}

/** A result for stdout as JSON. */
export function showJson(value: object): void {
  process.stdout.write(`${printableJson(JSON.stringify(value, null, 2))}\n`);
}

/** Bytes for a file or another program on stdout: a terminal would take some of them for commands. */
export function showBytes(bytes: Uint8Array): void {
  if (process.stdout.isTTY)
    throw usageError(['this form is binary and stdout is a terminal; write it to a file: > FILE']);
  process.stdout.write(bytes);
}
