import { join } from 'node:path';
import { type ErrorCode, errorSubjects, exitCodeOf } from '@cachescope/model/errors/index.ts';
import { table } from './table.ts';
import { symptoms } from './symptoms.ts';

/** Path of the page. */
export const errorsPagePath = join(import.meta.dirname, '../../harness/docs/errors.md');

const introduction = `# Errors

<!-- Made by npm run docs from extension/model/errors. Do not edit it here. -->

Every error has a stable code. Its message says what failed, with which value and against which rule. The last column is the
exit code of a command that stops with this error. Where an error has several causes, some of them end with another exit code.
All exit codes: 0 complete, 1 failure, 2 usage, 3 environment refused, 4 partial result saved, 5 something could not be
undone, 10 a gate or a budget failed, 11 a gate (with \`--gate-unknown fail\`), a budget or a bisect is not decided, 77 skipped, 130 interrupted.`;

/** The page of the errors in Markdown. */
export function errorsPage(): string {
  const subjects = errorSubjects.map(({ title, entries }) => {
    const rows = Object.entries(entries).map(([code, { what, fix }]) => [
      `\`${code}\``,
      what,
      fix,
      `${exitCodeOf(code as ErrorCode)}`,
    ]);
    return `## ${title}\n\n${table(['code', 'what happened', 'what to do', 'exit code'], rows)}`;
  });
  const seen = table(
    ['what you see', 'what to do'],
    symptoms.map(({ seen, fix }) => [seen, fix]),
  );
  const first = `## What you see, and what to do\n\n${seen}`;
  return `${[introduction, first, ...subjects].join('\n\n')}\n`;
}
