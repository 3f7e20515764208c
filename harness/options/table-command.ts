import type { Command } from 'commander';
import { usageError } from '../error.ts';
import type { Problems } from './option-reading.ts';
import {
  addOptions,
  type OptionTable,
  type OptionTexts,
  type OptionValues,
  readTable,
  typedTexts,
} from './option-table.ts';
import { unknownWords } from './unknown-words.ts';

/** The options and arguments of a command, and how they are parsed together. */
export interface TableOptions<Asked> {
  table: OptionTable;
  /** All problems are returned, none is thrown. */
  read(texts: OptionTexts): { asked: Asked; problems: string[] };
}

/**
 * The options of a table. `ask` combines the values and checks them against each other; `typed` distinguishes typed
 * values from defaults. A required value that is missing is undefined there, and a problem already.
 */
export function tableOptions<const Table extends OptionTable, Asked>(
  table: Table,
  ask: (values: OptionValues<Table>, problems: Problems, typed: OptionTexts) => Asked,
): TableOptions<Asked> {
  return {
    table,
    read(typed) {
      const problems: Problems = [];
      const asked = ask(readTable(table, typed, problems), problems, typed);
      return { asked, problems };
    },
  };
}

/**
 * Gives a command its options. `run` is called only for a command line without a problem; otherwise all problems are
 * reported together.
 */
export function runWith<Asked>(
  command: Command,
  options: TableOptions<Asked>,
  run: (asked: Asked) => void | Promise<void>,
): Command {
  addOptions(command, options.table);
  return command
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const { asked, problems } = options.read(typedTexts(command));
      const all = [...unknownWords(command), ...problems];
      if (all.length > 0) throw usageError(all);
      await run(asked);
    });
}

/** A command whose options are parsed one by one. */
export function runWithTable<const Table extends OptionTable>(
  command: Command,
  table: Table,
  run: (values: OptionValues<Table>) => void | Promise<void>,
): Command {
  return runWith(
    command,
    tableOptions(table, (values) => values),
    run,
  );
}
