import { Command } from 'commander';
import { expect, test } from 'vitest';
import { commands } from './commands/commands.ts';
import { layOutHelp } from './command-help.ts';
import { experiments } from './experiments/index.ts';

/** The whole help of a command and of its subcommands, 80 columns wide. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ getOutHelpWidth: () => 80, writeOut: (part) => (text += part) });
  command.outputHelp();
  return [text, ...command.commands.map(helpOf)].join('\n');
}

test.each(Object.entries(commands))('the help of %s fits 80 columns', async (_, load) => {
  const command = await load();
  layOutHelp(command);
  // A command to type stays on one line, and so does a word without a space.
  const isWhole = (line: string) => /^ +(npm|cachescope|git) |^ *\S+$/.test(line);
  const lines = helpOf(command).split('\n');
  expect(lines.filter((line) => line.length > 80 && !isWhole(line))).toEqual([]);
});

test('a default is shown as it is typed, and none where an option is off or has no value', () => {
  const command = new Command('made-up')
    .argument('[start]', 'first delay', '1')
    .option('--arms <list>', 'codings', 'br,dcb')
    .option('--file-system <name>', '', 'ext4')
    .option('--json', 'as JSON', false)
    .option('--gate <rule>', 'may repeat', () => [], []);
  layOutHelp(command);
  const help = helpOf(command).replaceAll(/ +/g, ' ');
  expect(help).toContain(' start first delay (default: 1)\n');
  expect(help).toContain(' --arms <list> codings (default: br,dcb)\n');
  expect(help).toContain(' --file-system <name> (default: ext4)\n');
  expect(help).toContain(' --json as JSON\n');
  expect(help).toContain(' --gate <rule> may repeat\n');
});

test.each(Object.entries(experiments))(
  'the help of %s begins with the five options that people use first',
  async (_, load) => {
    const command = await (await load()).command();
    layOutHelp(command);
    const help = helpOf(command);
    const headings = [...help.matchAll(/^[A-Z][a-z, ]+:$/gm)].map(([heading]) => heading);
    const order = [
      'Used most:',
      'What is measured:',
      'How long, how precise:',
      'Machine:',
      'Output:',
    ];
    const shown = headings.filter((heading) => order.includes(heading));
    expect(shown).toEqual(order.filter((heading) => shown.includes(heading)));
    expect(headings).not.toContain('Options:');
    const [first = ''] = help.split('Used most:\n')[1]?.split('\n\n') ?? [];
    expect(first.match(/^  --/gm)).toHaveLength(5);
    expect(help.match(/^  (?:-h, )?--(?:help|dry-run)\b/gm)).toHaveLength(2);
  },
);
