import { Command } from 'commander';
import { runWithTable } from '../options/table-command.ts';
import { commandText, createPrivilege } from '../privilege.ts';
import { journalsElsewhere, journalsWithoutOwner } from '../storage/journal/journals.ts';
import { leftBehind, reap } from '../storage/journal/reaper.ts';
import { endWith, say, show } from '../terminal.ts';
import { doubtsOf, undoLines } from '../storage/journal/undo-commands.ts';

/** Exit code: something could not be undone; the commands to type were printed. */
const leftExitCode = 5;

/** Lists what programs that have ended left behind, then removes it; returns the exit code. */
export async function clean({ dryRun }: { dryRun: boolean }): Promise<number> {
  const problems: string[] = [];
  const left = leftBehind(undefined, (problem) => problems.push(problem));
  problems.push(...doubtsOf(left).map((doubt) => `CS_JOURNAL: an entry is not acted on: ${doubt}`));
  const blank = journalsWithoutOwner().map((path) => commandText(['rm', path]));
  const lines = [...undoLines(left), ...blank];
  const nothing = problems.length === 0 ? ['Nothing was left behind.'] : [];
  journalsElsewhere().forEach(({ path, head }) =>
    say(
      `${path} is of another machine or container (${head.machine?.hostName}): run clean there, or remove the file if it is gone.`,
    ),
  );
  show((lines.length > 0 ? lines : nothing).map((line) => `${line}\n`).join(''));
  if (dryRun) {
    problems.forEach(say);
    return problems.length === 0 ? 0 : leftExitCode;
  }
  const failures = await reap(createPrivilege({ dryRun: false, say }), say);
  return failures === 0 ? 0 : leftExitCode;
}

/** `cachescope clean`. */
export function cleanCommand(): Command {
  const command = new Command('clean')
    .summary('list and remove what a killed program left behind')
    .description(
      'Lists what a killed program left behind (mounts, devices, processes, files), then removes it.',
    );
  return runWithTable(command, cleanTable, async (options) => endWith(await clean(options)));
}

/** The options of `clean`. */
export const cleanTable = { dryRun: { description: 'list only' } };
