import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { featurePresets, unshowable } from '@cachescope/model/features/presets.ts';
import { commands } from '../../harness/commands/commands.ts';
import { experiments } from '../../harness/experiments/index.ts';
import { sharedOptions } from '../../harness/options/shared-options.ts';
import { table } from './table.ts';

type Command = Awaited<ReturnType<NonNullable<(typeof commands)[string]>>>;
type Option = Command['options'][number];
/** What the page shows of an option. */
type Documented = Pick<Option, 'flags' | 'defaultValue' | 'description'>;
type Argument = Command['registeredArguments'][number];

const docs = join(import.meta.dirname, '../../harness/docs');

/** Path of the page. */
export const referencePagePath = join(docs, 'reference.md');

const begin =
  '<!-- Options: made by npm run docs from the option tables. Do not edit them here. -->';
const end = '<!-- End of the options. -->';

/** The current page, with the options of the commands brought up to date. */
export async function referencePage(): Promise<string> {
  const page = readFileSync(referencePagePath, 'utf8');
  const [before, after] = [page.split(begin)[0], page.split(end)[1]];
  if (before === undefined || after === undefined)
    throw new Error(`${referencePagePath} has no place for options`);
  return [`${before}${begin}`, await optionSections(), `${end}${after}`].join('\n\n');
}

/** Commands with the options of another command and other defaults: only the differences are shown. */
const presetsOf: Readonly<Record<string, string>> = {
  explain: 'sweep',
  'baseline compare': 'compare',
};

async function optionSections(): Promise<string> {
  const measuring = await Promise.all(
    Object.values(experiments).map(async (load) => (await load()).command()),
  );
  const others = await Promise.all(
    Object.entries(commands)
      .filter(([name]) => !Object.hasOwn(experiments, name))
      .map(async ([, load]) => load()),
  );
  return [
    sharedSection(measuring),
    ...measuring.map((command) => experimentSection(command, measuring)),
    ...others.flatMap((command) => otherSections(command, [...measuring, ...others])),
    presetSection(),
  ].join('\n\n');
}

function presetSection(): string {
  const presets = featurePresets.map(({ name, about, bug, evidence }) => [
    `\`${name}\``,
    bug === null ? about : `${about} ([bug](${bug}))`,
    evidence.what,
  ]);
  const without = Object.entries(unshowable).map(([name, why]) => [`\`${name}\``, why]);
  return [
    '### Presets of --features',
    'A preset gets a verdict where its evidence is seen in the run, and not in the baseline that lacks it.',
    table(['preset', 'what it changes', 'evidence of effect'], presets),
    'No preset, because no run can show an effect:',
    table(['feature', 'why'], without),
  ].join('\n\n');
}

/** The options of every experiment, as those of one of them, whose name is in its defaults. */
function sharedSection([command]: readonly Command[]): string {
  const shared = command?.options.filter(isShared) ?? [];
  const named = shared.map(({ flags, defaultValue, description }) => ({
    flags,
    defaultValue,
    description: description.replace(`_${command?.name()}`, '_<experiment>'),
  }));
  return section('Shared options', ['Options of every experiment.'], named);
}

/** Commands with the options of the experiments, which have sections of their own: only the further options are shown. */
const repeating: ReadonlySet<string> = new Set(['plan']);

/** A command that is not an experiment; a command with subcommands has a section for each. */
function otherSections(command: Command, all: readonly Command[]): string[] {
  const name = command.name();
  if (command.commands.length === 0) return [commandSection(name, command)];
  if (repeating.has(name)) {
    const own = furtherOptions(command, all);
    return [section(name, [`${command.description()}${linkTo('machines')}`], own)];
  }
  return [
    section(name, [`${command.description()}${linkTo(name)}`], []),
    ...command.commands.map((each) => {
      const title = `${name} ${each.name()}`;
      const base = all.find((other) => other.name() === presetsOf[title]);
      return commandSection(title, each, unlike(each, base), differences(base));
    }),
  ];
}

/** The options that each subcommand adds to those of the experiment of the same name. */
function furtherOptions({ commands: [one] }: Command, all: readonly Command[]): Documented[] {
  const base = all.find((each) => each.name() === one?.name());
  return one ? unlike(one, base) : [];
}

/**
 * The options of a command that its base does not have, or has with another text or default. Where only the default
 * differs, without the text.
 */
function unlike({ options }: Command, base: Command | undefined): Documented[] {
  return options.flatMap((option): Documented[] => {
    const other = base?.options.find(({ flags }) => flags === option.flags);
    if (other === undefined || other.description !== option.description) return [option];
    const { flags, defaultValue } = option;
    return other.defaultValue === defaultValue ? [] : [{ flags, defaultValue, description: '' }];
  });
}

function differences(base: Command | undefined): string[] {
  return base ? [`The options of \`${base.name()}\`, with these differences.`] : [];
}

/** A sentence that links to the page of a command, with a leading space; empty when there is none. */
function linkTo(title: string): string {
  const page = title === 'origin' ? '../../origin/README.md' : `${title}.md`;
  return existsSync(join(docs, page)) ? ` See [${page.replace('../../', '')}](${page}).` : '';
}

function isShared(option: Option): boolean {
  return Object.hasOwn(sharedOptions, option.attributeName());
}

function experimentSection(command: Command, all: readonly Command[]): string {
  const base = all.find((each) => each.name() === presetsOf[command.name()]);
  const shared = new Set(command.options.filter(isShared).map(({ flags }) => flags));
  const own = unlike(command, base).filter(({ flags }) => !shared.has(flags));
  const names = new Set(command.options.map((option) => option.attributeName()));
  const lacking = Object.keys(sharedOptions).filter((name) => !names.has(name));
  const about = [
    ...differences(base),
    ...(lacking.length > 0
      ? [`Not available: ${lacking.map((name) => `\`--${name}\``).join(', ')}.`]
      : []),
  ];
  const words = command.registeredArguments.filter(
    (word) => !base?.registeredArguments.some((other) => isSameText(word, other)),
  );
  return commandSection(command.name(), command, own, about, words);
}

function isSameText(
  one: Pick<Argument, 'description' | 'defaultValue'>,
  other: Pick<Argument, 'description' | 'defaultValue'>,
): boolean {
  return one.description === other.description && one.defaultValue === other.defaultValue;
}

function commandSection(
  title: string,
  command: Command,
  options: readonly Documented[] = command.options,
  about: readonly string[] = [],
  words: readonly Argument[] = command.registeredArguments,
): string {
  const text = `${command.description()}${linkTo(title)}`;
  const named = words.map((word) => {
    const { defaultValue, description } = word;
    return { defaultValue, description, usage: usageOf(word, command) };
  });
  return section(title, [text, ...about], options, named);
}

function section(
  title: string,
  about: readonly string[],
  options: readonly Documented[],
  words: readonly (Pick<Argument, 'defaultValue' | 'description'> & { usage: string })[] = [],
): string {
  const lines = [
    ...words.map(({ usage, defaultValue, description }) => line(usage, defaultValue, description)),
    ...options.map((option) => line(option.flags, option.defaultValue, option.description)),
  ];
  const text = [`### ${title}`, about.join(' ')];
  if (lines.length > 0) text.push(lines.join('\n'));
  return text.join('\n\n');
}

/** `<name>` where a command line without it has a problem, otherwise `[name]`. */
function usageOf(argument: Argument, command: Command): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return command.usage().includes(`<${name}>`) ? `<${name}>` : `[${name}]`;
}

function line(flags: string, value: unknown, meaning: string): string {
  const hasDefault = typeof value === 'string' && value !== '';
  const name = `\`${flags}\`${hasDefault ? ` (\`${value}\`)` : value === true ? ' (on)' : ''}`;
  const text = escaped(meaning).replaceAll(/[\w/]*(?:<\w+>_?)+\w*/g, '`$&`');
  return text === '' ? `- ${name}` : `- ${name}: ${text}`;
}

/** A description is plain text; characters that are markup in Markdown are escaped. */
function escaped(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
