import { Command } from 'commander';
import { expect, test } from 'vitest';
import { typedTexts } from './option-table.ts';
import { unknownWords } from './unknown-words.ts';

function parsed(...words: string[]): Command {
  const command = new Command('sweep').argument('[start]').argument('[end]');
  return command.allowUnknownOption().allowExcessArguments().parse(words, { from: 'user' });
}

test('an unknown flag takes the place of no argument', () => {
  const command = parsed('--frobnicate', '0', '10');
  expect(unknownWords(command)).toEqual(['--frobnicate is not an option of sweep; see --help']);
  expect(typedTexts(command)).toEqual({ start: '0', end: '10' });
});

test('a negative number is an argument, and excess arguments are named', () => {
  const command = parsed('-1', '5', '6', '7');
  expect(unknownWords(command)).toEqual([
    '6 is one argument too many; see --help',
    '7 is one argument too many; see --help',
  ]);
  expect(typedTexts(command)).toEqual({ start: '-1', end: '5' });
});
