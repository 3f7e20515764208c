import { statSync } from 'node:fs';
import { onSignals } from '../lab/interrupt.ts';
import { createPrivilege } from '../privilege.ts';
import { identityOfFile } from '../storage/file-system.ts';
import { Journal } from '../storage/journal/journal.ts';
import { leftBehind } from '../storage/journal/reaper.ts';
import { undo } from '../storage/journal/undo.ts';
import { say } from '../terminal.ts';

/**
 * Makes a directory of outputs and fills it, completely or not at all: an error or an interrupt removes it, and after a
 * SIGKILL the next such command, or `clean`. `drafts`: the directory exists, and only drafts of its files are removed.
 */
export async function writtenWhole<Made, Result>(
  path: string,
  { drafts }: { drafts?: true | undefined },
  make: () => Made | Promise<Made>,
  fill: (made: Made) => Promise<Result>,
): Promise<Result> {
  const journal = openJournal();
  const entry = { kind: 'output', path, ...(drafts && { drafts }) } as const;
  const number = journal.record(entry);
  const privilege = createPrivilege({ dryRun: false, say });
  const dispose = onSignals(() => {
    undo(journal, privilege)
      .catch((error: unknown) => say(String(error)))
      .finally(() => {
        journal.end();
        process.exit(130);
      });
  });
  try {
    const made = await make();
    journal.refine(number, { ...entry, file: identityOfFile(statSync(path, { bigint: true })) });
    const result = await fill(made);
    journal.undone(number);
    return result;
  } catch (error) {
    await undo(journal, privilege);
    throw error;
  } finally {
    dispose();
    journal.end();
  }
}

/** Where no state can be kept, outputs are written all the same. */
function openJournal(): Journal {
  try {
    return Journal.begin();
  } catch {
    return Journal.begin({ inMemory: true });
  }
}

/** Notes a directory that is written to for as long as this is held, so that drafts of a killed program are removed. */
export function notedDrafts(path: string): Disposable {
  const journal = openJournal();
  const file = identityOfFile(statSync(path, { bigint: true }));
  const number = journal.record({ kind: 'output', path, drafts: true, file });
  return {
    [Symbol.dispose]() {
      journal.undone(number);
      journal.end();
    },
  };
}

/** Removes what killed commands left of outputs, so that the same command can be typed again. */
export async function removeUnfinished(): Promise<void> {
  for (const journal of leftBehind()) {
    const { entries } = journal;
    if (entries.length === 0 || entries.some(({ made }) => made.kind !== 'output')) continue;
    journal.claim();
    await undo(journal, createPrivilege({ dryRun: false, say }));
    journal.end();
  }
}
