/**
 * Exit codes for a calling program: 1 failure, 2 usage, 3 environment refused, 4 partial result saved, 5 something
 * could not be undone, 10 a gate or a budget failed, 11 one that had to be decided is undecided.
 */
export type ExitCode = 1 | 2 | 3 | 4 | 5 | 10 | 11 | 130;

/** The fixed part of an error. The thrown message adds the value and the rule. Text to be typed is in backticks. */
export interface ErrorEntry {
  /** What happened: one sentence. */
  what: string;
  /** What to do next: one or two sentences. */
  fix: string;
  /** Exit code of a command that this error stops, unless the message gives another one. Absent: 1. */
  exitCode?: ExitCode;
}

/** The errors of one subject, by their stable code. */
export type ErrorEntries = Readonly<Record<`CS_${string}`, ErrorEntry>>;

/** An error with exit code 1. */
export function failure(what: string, fix: string): ErrorEntry {
  return { what, fix };
}

/** An error with exit code 2: the command line, or a file that it names, is wrong. */
export function usage(what: string, fix: string): ErrorEntry {
  return { what, fix, exitCode: 2 };
}

/** An error with exit code 3: the environment is refused. */
export function environment(what: string, fix: string): ErrorEntry {
  return { what, fix, exitCode: 3 };
}
