import type { Command } from 'commander';
import type { Problems } from './option-reading.ts';
import { sharedOptions } from './shared-options.ts';

/** An option with a value, which is read from its text. Left out, it has its default; without one it is undefined. */
export interface ValueOption<Value> {
  /** What stands for the value in the help: `<list>`. */
  value: string;
  description: string;
  default?: string;
  /** A word by its place on the command line, in the order of the table, instead of an option. */
  isArgument?: true;
  /** May be named several times: its value is a list, empty when it is left out. */
  isRepeatable?: true;
  /** What is wrong with the text joins `problems`. */
  read(text: string, flag: string, problems: Problems): Value;
}

/** An option without a value: named or not. One that is on by default has a `--no-` option. */
export interface Switch {
  description: string;
  default?: boolean;
  /** Why it cannot be had here joins `problems`. */
  check?(flag: string, problems: Problems): void;
}

/** Options of a command by their names in code: `serverDelay` is `--server-delay`. */
export type OptionTable = Readonly<Record<string, ValueOption<unknown> | Switch>>;

type ValueOf<Option> = Option extends { read(...given: never[]): infer Value }
  ? Option extends { isRepeatable: true }
    ? Value[]
    : Option extends { default: string }
      ? Value
      : Value | undefined
  : boolean;

/** What the options of a table say once they are read. */
export type OptionValues<Table extends OptionTable> = {
  -readonly [Name in keyof Table]: ValueOf<Table[Name]>;
};

/** What was typed on a command line, by the options' names in code. */
export type OptionTexts = Readonly<
  Record<string, string | readonly string[] | boolean | undefined>
>;

/** What the shared options say. A seed that is not named is drawn. */
export type SharedValues = Omit<OptionValues<typeof sharedOptions>, 'seed'> & { seed: number };

/** The options of an experiment, its own and the shared ones, and how they are read together. */
export interface CommandOptions<Asked> {
  table: OptionTable;
  /** All that is wrong is returned, none of it thrown. */
  read(texts: OptionTexts): { asked: Asked; shared: SharedValues; problems: string[] };
}

/**
 * The options of an experiment, out of its own table. `ask` makes one thing of the values, and sees what they say of each other;
 * `typed` tells a value that was typed from a default. Shared options that mean nothing to the experiment are left `out`.
 */
export function commandOptions<const Table extends OptionTable, Asked>(
  own: Table,
  ask: (
    values: OptionValues<Table> & SharedValues,
    problems: Problems,
    typed: OptionTexts,
  ) => Asked,
  out: readonly (keyof typeof sharedOptions)[] = [],
): CommandOptions<Asked> {
  const shown = Object.entries(sharedOptions).filter(
    ([name]) => !out.some((each) => each === name),
  );
  return {
    table: { ...own, ...Object.fromEntries(shown) },
    read(typed) {
      const problems: Problems = [];
      const values = readTable(own, typed, problems);
      const { seed = Math.floor(Math.random() * 2 ** 32), ...others } = readTable(
        sharedOptions,
        typed,
        problems,
      );
      const shared = { ...others, seed };
      return { asked: ask({ ...values, ...shared }, problems, typed), shared, problems };
    },
  };
}

/** A table with other defaults. */
export function withDefaults<Table extends OptionTable>(
  table: Table,
  defaults: Readonly<Partial<Record<keyof Table, string | boolean>>>,
): Table {
  const options = Object.entries(table).map(([name, option]) => {
    const preset = defaults[name];
    return [name, preset === undefined ? option : { ...option, default: preset }];
  });
  // Each option keeps its kind; the compiler cannot follow that through the entries.
  return Object.fromEntries(options) as Table;
}

/** Tells a command its options. `<experiment>` in a description stands for the command's name. */
export function addOptions(command: Command, table: OptionTable): void {
  for (const [name, option] of Object.entries(table)) {
    const description = option.description.replace('<experiment>', command.name());
    const flag = flagOf(name);
    if (!('value' in option)) {
      command.option(flag, description, option.default ?? false);
      if (option.default === true) command.option(flag.replace('--', '--no-'), 'leave that out');
    } else if (option.isArgument) {
      command.argument(`[${name}]`, description, option.default);
    } else if (option.isRepeatable) {
      const more = (text: string, before: string[] | undefined) => [...(before ?? []), text];
      command.option(`${flag} ${option.value}`, description, more);
    } else {
      command.option(`${flag} ${option.value}`, description, option.default);
    }
  }
}

/** What was typed of the options and arguments of a command. */
export function typedTexts(command: Command): OptionTexts {
  const names = command.options
    .map((option) => option.attributeName())
    .filter((name) => command.getOptionValueSource(name) === 'cli');
  const options = names.map((name) => [name, command.getOptionValue(name)]);
  const words = command.registeredArguments.map((word, index) => [
    word.name(),
    command.args[index],
  ]);
  return Object.fromEntries([...options, ...words.filter(([, text]) => text !== undefined)]);
}

function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function readTable<Table extends OptionTable>(
  table: Table,
  typed: OptionTexts,
  problems: Problems,
): OptionValues<Table> {
  const values = Object.entries(table).map(([name, option]) => [
    name,
    'value' in option
      ? readValue(name, option, typed[name], problems)
      : readSwitch(name, option, typed[name], problems),
  ]);
  // Each value is what its own option has read; the compiler cannot follow that through the entries.
  return Object.fromEntries(values) as OptionValues<Table>;
}

function readValue(
  name: string,
  option: ValueOption<unknown>,
  typed: OptionTexts[string],
  problems: Problems,
): unknown {
  const flag = option.isArgument ? name : flagOf(name);
  if (option.isRepeatable)
    return [typed ?? []].flat().map((text) => option.read(String(text), flag, problems));
  const text = typed ?? option.default;
  return typeof text === 'string' ? option.read(text, flag, problems) : undefined;
}

function readSwitch(
  name: string,
  option: Switch,
  typed: OptionTexts[string],
  problems: Problems,
): boolean {
  const isOn = (typed ?? option.default) === true;
  if (isOn) option.check?.(flagOf(name), problems);
  return isOn;
}
