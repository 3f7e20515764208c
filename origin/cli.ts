import { printableLines } from '@cachescope/model/printable.ts';
import { CommanderError } from 'commander';
import { originCommand } from './command.ts';
import { OriginError } from './error.ts';

function textOf(error: unknown): string {
  if (error instanceof OriginError) return `${error.code}: ${error.message}`;
  // Only an error that nobody foresaw shows its stack: it is a defect of this program.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  await originCommand().exitOverride().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // It has told the reason. Help ends with 0; commander's own code for bad words is 1, ours is 2.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.stderr.write(`${printableLines(textOf(error))}\n`);
    process.exitCode = error instanceof OriginError ? error.exitCode : 1;
  }
}
