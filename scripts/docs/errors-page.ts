import { join } from 'node:path';
import { type ErrorCode, errorSubjects, exitCodeOf } from '@cachescope/model/errors/index.ts';
import { symptoms } from './symptoms.ts';

/** Path of the page. */
export const errorsPagePath = join(import.meta.dirname, '../../harness/docs/errors.md');

const introduction = `# Errors

<!-- Made by npm run docs from extension/model/errors. Do not edit it here. -->

Every error has a stable code. Its message says what failed, with which value and against which rule. Here follow the
[exit code](reference.md#exit-codes) of a command that stops with it, in brackets, its meaning, and what to do. Where an error has several
causes, some of them end with another exit code.`;

/** The page of the errors in Markdown. */
export function errorsPage(): string {
  const subjects = errorSubjects.map(({ title, entries }) => {
    const lines = Object.entries(entries).map(
      ([code, { what, fix }]) => `- \`${code}\` (${exitCodeOf(code as ErrorCode)}): ${what} ${fix}`,
    );
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  const seen = symptoms.map((each) => `- ${each.seen} ${each.fix}`).join('\n');
  const first = `## What you see, and what to do\n\n${seen}`;
  return `${[introduction, first, ...subjects].join('\n\n')}\n`;
}
