import { basename } from 'node:path';
import { Command } from 'commander';
import { type AnnotatedArchive, annotatedArchive } from '@cachescope/model/har/annotation.ts';
import { type Budget, judgedLimits, readBudget } from '@cachescope/model/budget/budget.ts';
import type { ErrorCode } from '@cachescope/model/errors/index.ts';
import { type Parsed, parsedJson } from '@cachescope/model/parsed.ts';
import { readForeignStream, readForeignText } from '@cachescope/origin/foreign-file.ts';
import { CachescopeError, messageOf } from '../../error.ts';
import { largestFileBytes, problemList } from '../../experiments/pageload/source.ts';
import { readNewFile } from '../../options/option-reading.ts';
import type { OptionValues } from '../../options/option-table.ts';
import { runWithTable } from '../../options/table-command.ts';
import { writeOutput } from '../../results/output-file.ts';
import { say, show, showJson } from '../../terminal.ts';
import { harJson, harText, limitText } from './text.ts';

const examples = `
Examples:
  npm run har -- recording.har                       a table: where each response came from
  npm run har -- recording.har --out annotated.har   the archive with _cacheSource on each entry
  npm run --silent har -- recording.har --json | jq '.rows[] | select(.source == "unknown")'
  npm run har -- - --assert budget.json < recording.har   exit code 10 when a budget fails

Only an archive of Chromium's DevTools or of Cachescope names caches. Entries of
other programs are "unknown".`;

const table = {
  file: {
    isArgument: true,
    isRequired: true,
    value: '<file>',
    description: 'the archive; - reads stdin',
  },
  out: {
    value: '<file>',
    description: 'write the archive to a new file, with _cacheSource and _cacheReason',
    read: readNewFile,
  },
  assert: {
    value: '<file>',
    description: 'JSON file of budgets: exit code 10 when a limit fails',
  },
  json: { description: 'print verdicts, counts and budgets as JSON' },
} as const;

/** `cachescope har`: the cache source of each entry of an HTTP Archive, and budgets on them. */
export function harCommand(): Command {
  const command = new Command('har')
    .summary('name the cache source of each request of an HTTP Archive')
    .description(
      'Names the cache that each response of an HTTP Archive came from, with the reason. Needs no root and no browser, and contacts no host.',
    )
    .addHelpText('after', examples);
  return runWithTable(command, table, annotate);
}

async function annotate({ file, out, assert, json }: OptionValues<typeof table>): Promise<void> {
  // Before the archive, which may take long.
  const budget = assert === undefined ? null : await budgetOf(assert);
  const archive = await archiveOf(file);
  if (out !== undefined) writeOutput(out, `${JSON.stringify(archive.har, null, 2)}\n`);
  report(archive, budget, json);
}

/** @throws CachescopeError CS_BUDGET, exit code 10; CS_BUDGET_UNKNOWN, exit code 11 */
function report(archive: AnnotatedArchive, budget: Budget | null, asJson: boolean): void {
  const limits = budget ? judgedLimits(budget, archive.rows) : [];
  if (asJson) showJson(harJson(archive, limits));
  else show(harText(archive, limits));
  archive.notes.forEach((note) => say(`Warning: ${note}`));
  const errors = limits.filter(({ level }) => level === 'error');
  const listed = (outcome: string) =>
    errors.filter((limit) => limit.outcome === outcome).map((limit) => `\n  - ${limitText(limit)}`);
  const failed = listed('failed');
  if (failed.length > 0) throw new CachescopeError('CS_BUDGET', failed.join(''));
  const undecided = listed('undecided');
  if (undecided.length > 0) throw new CachescopeError('CS_BUDGET_UNKNOWN', undecided.join(''));
}

async function budgetOf(path: string): Promise<Budget> {
  return whole('CS_BUDGET_FILE', readBudget(await jsonOf('CS_BUDGET_FILE', path)));
}

async function archiveOf(path: string): Promise<AnnotatedArchive> {
  return whole('CS_HAR', annotatedArchive(await jsonOf('CS_HAR', path)));
}

async function jsonOf(code: ErrorCode, path: string) {
  const name = path === '-' ? 'stdin' : basename(path);
  return { name, json: whole(code, parsedJson(name, await textOf(code, path))) };
}

async function textOf(code: ErrorCode, path: string): Promise<string> {
  const rules = { mostBytes: largestFileBytes };
  try {
    return path === '-'
      ? await readForeignStream('stdin', process.stdin, rules)
      : readForeignText(path, rules);
  } catch (error) {
    throw new CachescopeError(code, messageOf(error));
  }
}

function whole<Value>(code: ErrorCode, parsed: Parsed<Value>): Value {
  if ('value' in parsed) return parsed.value;
  throw new CachescopeError(code, problemList(parsed.problems));
}
