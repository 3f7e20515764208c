import { printable } from '@cachescope/model/printable.ts';
import { type ErrorCode, type ExitCode, exitCodeOf } from '@cachescope/model/errors/index.ts';

export interface ErrorDetails extends ErrorOptions {
  /** What to do next, in a sentence or a command to type. */
  hint?: string;
  /** Default: the exit code of the error code's registry entry. */
  exitCode?: ExitCode;
}

/** An error that a user can act on: it names what failed, the value, the broken rule, and what to do next. */
export class CachescopeError extends Error {
  /** Stable: names the error in documentation and scripts. */
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    // Only the lines of a list are lines: a value in the message starts none.
    super(message.replaceAll(/\n(?! {2}- )/g, String.raw`\n`), details);
    this.name = 'CachescopeError';
    this.code = code;
    this.hint = details.hint;
    this.exitCode = details.exitCode ?? exitCodeOf(code);
  }

  /** The code, a colon and the message; the hint on a line of its own. */
  override toString(): string {
    const text = `${this.code}: ${this.message}`;
    return this.hint === undefined ? text : `${text}\n${this.hint}`;
  }
}

/** All problems of a command line at once; exit code 2. */
export function usageError(problems: readonly string[]): CachescopeError {
  const list =
    problems.length === 1
      ? printable(problems[0] ?? '')
      : problems.map((problem) => `\n  - ${printable(problem)}`).join('');
  return new CachescopeError('CS_USAGE', list);
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
