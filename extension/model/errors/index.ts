import { archiveErrors } from './archive.ts';
import { browserErrors } from './browser.ts';
import { commandLineErrors } from './command-line.ts';
import type { ErrorEntries, ErrorEntry, ExitCode } from './entry.ts';
import { experimentErrors } from './experiment.ts';
import { originErrors } from './origin.ts';
import { runErrors } from './run.ts';
import { storageErrors } from './storage.ts';

export type { ErrorEntry, ExitCode } from './entry.ts';

const all = {
  ...commandLineErrors,
  ...browserErrors,
  ...storageErrors,
  ...originErrors,
  ...runErrors,
  ...experimentErrors,
  ...archiveErrors,
};

/** Every code that an error of this project can have. Stable: it names the error in documentation and scripts. */
export type ErrorCode = keyof typeof all;

/** Every error, by its code. */
export const errors: Readonly<Record<ErrorCode, ErrorEntry>> = all;

/** All errors, in the order and under the titles of the documentation. */
export const errorSubjects: readonly { title: string; entries: ErrorEntries }[] = [
  { title: 'Installation and command line', entries: commandLineErrors },
  { title: 'Browser, populating its cache, and tracing', entries: browserErrors },
  { title: 'Storage', entries: storageErrors },
  { title: 'Origin and workloads', entries: originErrors },
  { title: 'Runs, reports and comparison', entries: runErrors },
  { title: 'Single experiments and tools', entries: experimentErrors },
  { title: 'Archives and deployments', entries: archiveErrors },
];

/** Exit code of a command that an error with this code stops. */
export function exitCodeOf(code: ErrorCode): ExitCode {
  return errors[code].exitCode ?? 1;
}
