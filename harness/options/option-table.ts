import type { Command } from 'commander';
import type { Problems } from './option-reading.ts';
import { sharedOptions } from './shared-options.ts';
import { operandsOf } from './unknown-words.ts';

/** An option with a value. When omitted, it has its default, or is undefined without one. */
export interface ValueOption<Value> {
  /** Placeholder for the value in the help: `<list>`. */
  value: string;
  description: string;
  default?: string;
  /** A positional argument, in the order of the table, instead of an option. */
  isArgument?: true;
  /** A command line without it has a problem. */
  isRequired?: true;
  /** May be given several times: its value is a list, empty when it is omitted. Of the arguments only the last one may. */
  isRepeatable?: true;
  /** Parses the text and adds its problems to `problems`. Absent: the value is the text. */
  read?(text: string, flag: string, problems: Problems): Value;
}

/** An option without a value. One that is on by default has a `--no-` option. */
export interface Switch {
  description: string;
  default?: boolean;
  /** If it is not available here, the reason is added to `problems`. */
  check?(flag: string, problems: Problems): void;
}

/** Options of a command by their names in code: `serverDelay` is `--server-delay`. */
export type OptionTable = Readonly<Record<string, ValueOption<unknown> | Switch>>;

type ReadOf<Option> = Option extends { read(...given: never[]): infer Value } ? Value : string;

type ValueOf<Option> = Option extends { value: string }
  ? Option extends { isRepeatable: true }
    ? ReadOf<Option>[]
    : Option extends { default: string } | { isRequired: true }
      ? ReadOf<Option>
      : ReadOf<Option> | undefined
  : boolean;

/** The parsed values of a table's options. */
export type OptionValues<Table extends OptionTable> = {
  -readonly [Name in keyof Table]: ValueOf<Table[Name]>;
};

/** The typed text of a command line, by the options' names in code. */
export type OptionTexts = Readonly<
  Record<string, string | readonly string[] | boolean | undefined>
>;

/** The values of the shared options. A seed that is not given is drawn. */
export type SharedValues = Omit<OptionValues<typeof sharedOptions>, 'seed'> & { seed: number };

/** The options of an experiment, its own and the shared ones, and how they are parsed together. */
export interface CommandOptions<Asked> {
  table: OptionTable;
  /** All problems are returned, none is thrown. */
  read(texts: OptionTexts): { asked: Asked; shared: SharedValues; problems: string[] };
}

/**
 * The options of an experiment, from its own table. `ask` combines the values and checks them against each other;
 * `typed` distinguishes typed values from defaults. Shared options that do not apply to the experiment are listed in
 * `out`.
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

/** A table with other defaults. A default that a description names is no longer true, and is left out. */
export function withDefaults<Table extends OptionTable>(
  table: Table,
  defaults: Readonly<Partial<Record<keyof Table, string | boolean>>>,
): Table {
  const options = Object.entries(table).map(([name, option]) => {
    const preset = defaults[name];
    return [name, preset === undefined ? option : withDefault(option, preset)];
  });
  // Each option keeps its kind; TypeScript cannot infer that through the entries.
  return Object.fromEntries(options) as Table;
}

function withDefault<Option extends { description: string }>(
  option: Option,
  preset: string | boolean,
): Option & { default: string | boolean } {
  const description = option.description.replace(/ \(default: .*\)$/, '');
  return { ...option, description, default: preset };
}

/** `[options] <name> [dir]`: how a command with these arguments is typed. */
function usageOf(table: OptionTable): string {
  const words = Object.entries(table).flatMap(([name, option]) => {
    if (!('value' in option) || !option.isArgument) return [];
    const word = `${name}${option.isRepeatable ? '...' : ''}`;
    return option.isRequired ? `<${word}>` : `[${word}]`;
  });
  return ['[options]', ...words].join(' ');
}

/** Adds options to a command. `<experiment>` in a description is replaced by the command's name. */
export function addOptions(command: Command, table: OptionTable): void {
  command.usage(usageOf(table));
  for (const [name, option] of Object.entries(table)) {
    const description = option.description.replace('<experiment>', command.name());
    const flag = flagOf(name);
    if (!('value' in option)) {
      command.option(flag, description, option.default ?? false);
      if (option.default === true) command.option(flag.replace('--', '--no-'), 'turn that off');
    } else if (option.isArgument) {
      // A missing one is reported together with all other problems.
      command.argument(`[${name}${option.isRepeatable ? '...' : ''}]`, description, option.default);
    } else if (option.isRepeatable) {
      const more = (text: string, before: string[] | undefined) => [...(before ?? []), text];
      command.option(`${flag} ${option.value}`, description, more);
    } else {
      command.option(`${flag} ${option.value}`, description, option.default);
    }
  }
}

/** The typed options and arguments of a command. */
export function typedTexts(command: Command): OptionTexts {
  const names = command.options
    .map((option) => option.attributeName())
    .filter((name) => command.getOptionValueSource(name) === 'cli');
  const options = names.map((name) => [name, command.getOptionValue(name)]);
  const operands = operandsOf(command);
  const words = command.registeredArguments.map((word, index) => [
    word.name(),
    word.variadic ? operands.slice(index) : operands[index],
  ]);
  return Object.fromEntries([...options, ...words.filter(([, text]) => text !== undefined)]);
}

/** The flag of an option: `serverDelay` is `--server-delay`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Parses all options of a table; problems are added to `problems`. */
export function readTable<Table extends OptionTable>(
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
  // Each value was parsed by its own option; TypeScript cannot infer that through the entries.
  return Object.fromEntries(values) as OptionValues<Table>;
}

function readValue(
  name: string,
  option: ValueOption<unknown>,
  typed: OptionTexts[string],
  problems: Problems,
): unknown {
  const flag = option.isArgument ? name : flagOf(name);
  const read = (text: string) => (option.read ? option.read(text, flag, problems) : text);
  if (option.isRequired && [typed ?? []].flat().length === 0)
    problems.push(`${flag} is missing: ${option.description}`);
  if (option.isRepeatable) return [typed ?? []].flat().map(String).map(read);
  const text = typed ?? option.default;
  return typeof text === 'string' ? read(text) : undefined;
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
