import { printableJson, printableLines } from '@cachescope/model/printable.ts';

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
