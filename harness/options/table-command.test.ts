import { Command } from 'commander';
import { expect, test } from 'vitest';
import { integerFrom } from './option-reading.ts';
import { runWithTable } from './table-command.ts';

const table = {
  name: { isArgument: true, isRequired: true, value: '<name>', description: 'a name' },
  dir: { isArgument: true, isRepeatable: true, value: '<dir>', description: 'directories' },
  last: { value: '<n>', description: 'how many', default: '3', read: integerFrom(1, 9) },
  out: { isRequired: true, value: '<file>', description: 'a new file' },
} as const;

/** What a command line runs with, or its problems. */
async function run(...words: string[]) {
  let seen: unknown = null;
  const command = new Command('made-up').exitOverride();
  runWithTable(command, table, (values) => {
    seen = values;
  });
  await command.parseAsync(words, { from: 'user' }).catch((error: unknown) => {
    seen = String(error);
  });
  return seen;
}

test('a command runs with the parsed values of its arguments and options', async () => {
  expect(await run('a', 'b', 'c', '--last', '4', '--out', 'd')).toEqual({
    name: 'a',
    dir: ['b', 'c'],
    last: 4,
    out: 'd',
  });
  expect(await run('a', '--out', 'd')).toMatchObject({ dir: [], last: 3 });
});

test('what is missing, unknown and wrong is reported together, and nothing runs', async () => {
  const problems = await run('--last', '10', '--die');
  for (const part of [
    'name is missing: a name',
    '--out is missing: a new file',
    '--last is "10"; it must be a whole number from 1 to 9',
    '--die is not an option of made-up',
  ])
    expect(problems).toContain(part);
});

test('help shows which arguments are required', () => {
  const command = runWithTable(new Command('made-up'), table, () => undefined);
  expect(command.helpInformation()).toContain('made-up [options] <name> [dir...]');
});
