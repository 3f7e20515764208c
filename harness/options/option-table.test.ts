import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addOptions, commandOptions, typedTexts, withDefaults } from './option-table.ts';

const read = (text: string) => text;
const table = {
  first: { isArgument: true, value: '<n>', description: 'a word', default: '1', read },
  disk: { isRepeatable: true, value: '<disk>', description: 'a disk', read },
  cacheSize: { value: '<size>', description: 'a size', read },
  trace: { description: 'trace it' },
} as const;

/** The parsed values of a command line, and the options that were typed. */
function readLine(words: string[], own: typeof table = table) {
  const command = new Command('test').exitOverride();
  const options = commandOptions(own, (values, _, typed) => ({ values, typed }));
  addOptions(command, options.table);
  command.parse(words, { from: 'user' });
  const { values, typed } = options.read(typedTexts(command)).asked;
  const { first, disk, cacheSize, trace } = values;
  return { values: { first, disk, cacheSize, trace }, typed: Object.keys(typed) };
}

test('an option that is not typed has its default, an empty list, or is undefined', () => {
  const values = { first: '1', disk: [], cacheSize: undefined, trace: false };
  expect(readLine([])).toEqual({ values, typed: [] });
});

test('arguments are positional, and an option may be repeated', () => {
  const { values, typed } = readLine(['7', '--disk', 'a', '--cache-size', '2', '--disk', 'b']);
  expect(values).toEqual({ first: '7', disk: ['a', 'b'], cacheSize: '2', trace: false });
  expect(typed.toSorted()).toEqual(['cacheSize', 'disk', 'first']);
});

test('another default applies, and a switch that is on by default can be turned off', () => {
  const preset = withDefaults(table, { trace: true, cacheSize: '5' });
  expect(readLine([], preset)).toMatchObject({
    values: { trace: true, cacheSize: '5' },
    typed: [],
  });
  expect(readLine(['--no-trace'], preset)).toMatchObject({ values: { trace: false } });
});
