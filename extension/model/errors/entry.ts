/**
 * What a program that called us sees: 1 failure, 2 usage, 3 environment refused, 4 partial result saved, 5 something could
 * not be undone, 10 a gate of a comparison failed, 11 one is not decided and was to be.
 */
export type ExitCode = 1 | 2 | 3 | 4 | 5 | 10 | 11;

/** What is known of an error before it happens. The message that is thrown adds the value and the rule. What is typed stands in backticks. */
export interface ErrorEntry {
  /** What happened: one sentence. */
  what: string;
  /** What to do next: one or two sentences. */
  fix: string;
  /** With which a command ends that this error stops, unless the message says otherwise. Absent: 1. */
  exitCode?: ExitCode;
}

/** The errors of one subject, by their stable code. */
export type ErrorEntries = Readonly<Record<`CS_${string}`, ErrorEntry>>;
