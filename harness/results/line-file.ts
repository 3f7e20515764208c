import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { ownFileMode } from './output-file.ts';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR, O_TRUNC } = constants;

const newline = 0x0a;

/**
 * Appends one JSON text as a line to a file, which is created when missing, and waits until it is on the disk. A last
 * line cut off by a crash is terminated first, so that the new one is complete. A symbolic link is not followed.
 */
export async function appendLine(path: string, item: object): Promise<void> {
  const flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
  await using file = await open(path, flags, ownFileMode);
  const { size } = await file.stat();
  const last = Buffer.alloc(1, newline);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  const end = last[0] === newline ? '' : '\n';
  await file.appendFile(`${end}${JSON.stringify(item)}\n`);
  await file.datasync();
}

/** Length of the text that is written at once, characters. */
const blockLength = 1024 ** 2;

/** Writes each item as a line of a file, in place of what it holds. A symbolic link is not followed. */
export function writeLines(path: string, items: Iterable<object>): void {
  const file = openSync(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, ownFileMode);
  let block = '';
  try {
    for (const item of items) {
      block += `${JSON.stringify(item)}\n`;
      if (block.length < blockLength) continue;
      writeFileSync(file, block);
      block = '';
    }
    writeFileSync(file, block);
  } finally {
    closeSync(file);
  }
}
