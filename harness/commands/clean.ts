import { Command } from 'commander';
import { commandText, createPrivilege } from '../privilege.ts';
import { leftBehind, reap } from '../storage/reaper.ts';
import { undoCommands } from '../storage/undo.ts';

/** Something could not be undone; the commands to type were printed. */
const leftExitCode = 5;

const say = (line: string) => void process.stderr.write(`${line}\n`);

/** Lists what ended programs left behind, then removes it; returns the exit code. */
export async function clean({ dryRun }: { dryRun: boolean }): Promise<number> {
  const lines = leftBehind()
    .flatMap((journal) => journal.entries.toReversed())
    .flatMap(({ made }) => undoCommands(made))
    .map(commandText);
  const list = [...new Set(lines)].join('\n');
  process.stdout.write(list === '' ? 'Nothing was left behind.\n' : `${list}\n`);
  if (dryRun) return 0;
  const failures = await reap(createPrivilege({ dryRun: false, say }), say);
  return failures === 0 ? 0 : leftExitCode;
}

/** `cachescope clean`. */
export function cleanCommand(): Command {
  return new Command('clean')
    .summary('list and remove what an ended program left behind')
    .description(
      'Lists what a program that was killed left behind (mounts, devices, processes, files), then removes it.',
    )
    .option('--dry-run', 'list only', false)
    .action(async (options: { dryRun: boolean }) => {
      process.exitCode = await clean(options);
    });
}
