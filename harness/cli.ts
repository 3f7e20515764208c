import { OriginError } from '@cachescope/origin/error.ts';
import { Command, CommanderError } from 'commander';
import { cleanCommand } from './commands/clean.ts';
import { compareCommand } from './commands/compare.ts';
import { exploreCommand } from './commands/explore.ts';
import { doctorCommand } from './commands/doctor.ts';
import { fillCommand } from './commands/fill.ts';
import { microCommand } from './commands/micro.ts';
import { reportCommand } from './commands/report.ts';
import { storageCommand } from './commands/storage.ts';
import { sweepCommand } from './commands/sweep.ts';
import { transferCommand } from './commands/transfer.ts';
import { CachescopeError } from './error.ts';
import { toolVersion } from './version.ts';

const exitCodes = `
Exit codes: 0 complete, 1 failure, 2 usage, 3 environment refused, 4 partial result saved, 130 interrupted`;

function program(): Command {
  return new Command('cachescope')
    .description('What did the cache cost us, and why?')
    .version(toolVersion)
    .addCommand(sweepCommand())
    .addCommand(exploreCommand())
    .addCommand(microCommand())
    .addCommand(fillCommand())
    .addCommand(transferCommand())
    .addCommand(compareCommand())
    .addCommand(reportCommand())
    .addCommand(storageCommand())
    .addCommand(cleanCommand())
    .addCommand(doctorCommand())
    .addHelpText('after', exitCodes);
}

/** commander's own exit code for bad words is 1; ours is 2. Help and version end with 0. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return error instanceof CachescopeError ? error.exitCode : 1;
}

function exitOverrideDeep(command: Command): Command {
  command.exitOverride();
  for (const child of command.commands) exitOverrideDeep(child);
  return command;
}

/** A refusal of the operating system: a full disk, a missing right, a path that cannot be. Its message names all three. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** Only an error that nobody foresaw shows its stack: it is a defect of this program. */
function textOf(error: unknown): string {
  if (error instanceof CachescopeError) return error.toString();
  if (error instanceof OriginError) return `${error.code}: ${error.message}`;
  if (isSystemError(error)) return `CS_SYSTEM: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// A promise that some library left alone must not end the program before it has cleaned up: the step that it belongs to
// fails by itself, or by its time limit.
process.on('unhandledRejection', (reason) =>
  process.stderr.write(`CS_UNHANDLED: ${textOf(reason)}\n`),
);

// A reader that goes away (`| head`) must not end a run before it has saved and cleaned up: the rest is not shown.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  await exitOverrideDeep(program()).parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) process.stderr.write(`${textOf(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
