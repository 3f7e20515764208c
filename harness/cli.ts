import { OriginError } from '@cachescope/origin/error.ts';
import { Command, CommanderError } from 'commander';
import { existsSync } from 'node:fs';
import { layOutHelp } from './command-help.ts';
import { gitStop, isStepOfGit } from './commands/bisect/git-step.ts';
import { commands } from './commands/commands.ts';
import { portableCommands } from './environment/setup/platform.mjs';
import { terminalText } from './environment/setup/terminal-text.mjs';
import { CachescopeError, usageError } from './error.ts';
import { say } from './terminal.ts';
import { toolVersion } from './version.ts';

const exitCodes = `
Exit codes: 0 complete, 1 failure, 2 usage, 3 environment refused,
4 partial result saved, 5 something could not be undone, 10 a gate or a budget
failed, 11 one of them or a bisect is not decided, 130 interrupted`;

async function program(): Promise<Command> {
  const [name = ''] = process.argv.slice(2);
  const named = Object.hasOwn(commands, name) ? [name] : Object.keys(commands);
  const all = new Command('cachescope')
    .description('What did the cache cost us, and why?')
    .version(toolVersion)
    .addHelpText('after', exitCodes);
  for (const each of named) all.addCommand((await commands[each]?.()) as Command);
  layOutHelp(all);
  return all.hook('preAction', (_, command) => {
    const problems = emptyWords(command);
    if (problems.length > 0) throw usageError(problems);
    if (!portableCommands.has(name)) requireKernelFiles();
  });
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

/** An empty path would be the current directory, and an empty command the first of its arguments. */
function emptyWords(command: Command): string[] {
  const options = command.options.filter((option) => {
    const name = option.attributeName();
    return command.getOptionValueSource(name) === 'cli' && isBlank(command.getOptionValue(name));
  });
  return [
    ...options.map(({ long, flags }) => `${long ?? flags} is empty`),
    ...(command.args.some(isBlank) ? ['an argument is empty'] : []),
  ];
}

/** @throws CachescopeError CS_ENVIRONMENT. */
function requireKernelFiles(): void {
  const missing = ['/proc/self/stat', '/sys/block'].filter((path) => !existsSync(path));
  if (missing.length === 0) return;
  throw new CachescopeError(
    'CS_ENVIRONMENT',
    `there is no ${missing.join(' and no ')}: this system does not show its processes or devices`,
    { hint: 'Mount proc on /proc and sysfs on /sys, or leave the sandbox that hides them.' },
  );
}

/** commander's own exit code for invalid arguments is 1; ours is 2. Help and version exit with 0. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (isStepOfGit(process.argv)) return gitStop;
  if (error instanceof CommanderError) return 2;
  if (error instanceof CachescopeError || error instanceof OriginError) return error.exitCode;
  return isSystemError(error) && refusals.has(error.code ?? '') ? 3 : 1;
}

function exitOverrideDeep(command: Command): Command {
  command.exitOverride().configureOutput({
    outputError: (text, write) => write(text.replace(/^error: /, 'CS_USAGE: ')),
  });
  for (const child of command.commands) exitOverrideDeep(child);
  return command;
}

/**
 * An error of the operating system: a full disk, a missing permission, an invalid path. Its message names the call, the
 * code and the path.
 */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** Error codes when a directory that this program needs (TMPDIR, state, results) is missing or not writable. */
const refusals = new Set('EACCES EPERM EROFS ENOENT ENOTDIR ENAMETOOLONG ELOOP'.split(' '));

/** Only an unexpected error shows its stack: it is a defect of this program. */
function textOf(error: unknown): string {
  if (error instanceof CachescopeError) {
    const { isTTY, columns } = process.stderr;
    return isTTY ? terminalText(error.toString(), columns) : error.toString();
  }
  if (error instanceof OriginError) return `${error.code}: ${error.message}`;
  if (isSystemError(error)) return `CS_SYSTEM: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// An unhandled rejection in a library must not end the program before it has cleaned up: the step that it belongs to
// fails by itself, or by its time limit.
process.on('unhandledRejection', (reason) => say(`CS_UNHANDLED: ${textOf(reason)}`));

// A reader that closes the pipe (`| head`) must not end a run before it has saved and cleaned up: the rest of the
// output is dropped. A result that cannot be written, as on a full disk, is a failure.
const closed: ReadonlySet<string> = new Set(['EPIPE', 'EIO', 'EBADF', 'ERR_STREAM_DESTROYED']);
process.stderr.on('error', () => undefined);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (closed.has(error.code ?? '')) return;
  say(`CS_SYSTEM: stdout: ${error.message}`);
  process.exitCode ||= isStepOfGit(process.argv) ? gitStop : 1;
});

// Node would end with its exit code 13 and a warning when what a command waits for can no longer come.
let isSettled = false;
process.on('beforeExit', () => {
  if (isSettled) return;
  say('CS_SYSTEM: the command ended early: a program that it waited for is gone');
  process.exit(isStepOfGit(process.argv) ? gitStop : 1);
});

try {
  await exitOverrideDeep(await program()).parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) say(textOf(error));
  process.exitCode = exitCodeOf(error);
} finally {
  isSettled = true;
}
