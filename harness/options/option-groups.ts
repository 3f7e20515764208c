import { type Command, type Help, Option } from 'commander';

/** The headings of the options in the help of an experiment, in their order. */
const headings = {
  first: 'Used most:',
  measured: 'What is measured:',
  length: 'How long, how precise:',
  machine: 'Machine:',
  output: 'Output:',
} as const;
type Group = keyof typeof headings;

/** The options of all experiments by group; the others say what is measured. */
const named: Partial<Record<Group, readonly string[]>> = {
  length: [
    'samples',
    'launches',
    'requests',
    'rounds',
    'time',
    'window',
    'precision',
    'maxTime',
    'margin',
  ],
  machine: [
    'storage',
    'browser',
    'nginx',
    'headful',
    'headless',
    'env',
    'wait',
    'seed',
    'shard',
    'plan',
  ],
  output: ['out', 'json', 'verbose', 'saveHar', 'gate', 'upload', 'dryRun', 'resume', 'help'],
};

/** Divides the options of an experiment's command into groups; `first` are those that people use first. */
export function groupOptions(command: Command, first: readonly string[]): void {
  command.addHelpOption(new Option('-h, --help', 'display help for command'));
  const help = command.createHelp();
  for (const option of help.visibleOptions(command)) option.helpGroup(headingOf(option, first));
}

function headingOf(option: Option, first: readonly string[]): string {
  const name = option.attributeName();
  if (first.includes(name)) return headings.first;
  const found = (['length', 'machine', 'output'] as const).find((group) =>
    named[group]?.includes(name),
  );
  return headings[found ?? 'measured'];
}

/** The groups in the order of their headings, and in each the options in the order of the table. */
export const groupItems: Help['groupItems'] = (_, visible, getGroup) => {
  const order: readonly string[] = Object.values(headings);
  const groups = [...Map.groupBy(visible, getGroup)];
  return new Map(groups.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other)));
};
