/** What a program that called us sees: 1 failure, 2 usage, 3 environment refused, 4 partial result saved, 5 something could not be undone. */
export type ExitCode = 1 | 2 | 3 | 4 | 5;

export interface ErrorDetails extends ErrorOptions {
  /** What to do next, in a sentence or a command to type. */
  hint?: string;
  /** Default 1. */
  exitCode?: ExitCode;
}

/** An error that a user can act on: it says what failed, with which value, against which rule, and what to do next. */
export class CachescopeError extends Error {
  /** Stable: names the error in documentation and scripts. */
  readonly code: `CS_${string}`;
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;

  constructor(code: `CS_${string}`, message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.name = 'CachescopeError';
    this.code = code;
    this.hint = details.hint;
    this.exitCode = details.exitCode ?? 1;
  }

  /** `CS_CODE: message`, and the hint on a line of its own. */
  override toString(): string {
    const text = `${this.code}: ${this.message}`;
    return this.hint === undefined ? text : `${text}\n${this.hint}`;
  }
}

/** Everything that is wrong with a command line, at once; exit code 2. */
export function usageError(problems: readonly string[]): CachescopeError {
  const list =
    problems.length === 1 ? problems[0] : problems.map((problem) => `\n  - ${problem}`).join('');
  return new CachescopeError('CS_USAGE', `${list}`, { exitCode: 2 });
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
