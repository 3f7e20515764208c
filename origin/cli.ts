import { printableLines } from '@cachescope/model/printable.ts';
import { CommanderError } from 'commander';
import { originCommand } from './command.ts';
import { OriginError } from './error.ts';

function textOf(error: unknown): string {
  if (error instanceof OriginError) return `${error.code}: ${error.message}`;
  // Only an unexpected error prints its stack: it is a bug in this program.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  await originCommand().exitOverride().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // The reason has been printed. Help exits with 0; commander exits with 1 for usage errors, this program with 2.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.stderr.write(`${printableLines(textOf(error))}\n`);
    process.exitCode = error instanceof OriginError ? error.exitCode : 1;
  }
}
