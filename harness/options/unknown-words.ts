import type { Command } from 'commander';

/**
 * Unknown flags and excess arguments of a command line, as a list of problems. The command must allow unknown options
 * and excess arguments: commander itself stops at the first of them.
 */
export function unknownWords(command: Command): string[] {
  const expected = command.registeredArguments.length;
  const isNumber = (word: string) => /^-?\d/.test(word);
  const flags = command.args.filter((word) => word.startsWith('-') && !isNumber(word));
  const operands = command.args.filter((word) => !flags.includes(word));
  const problems = flags.map((word) => `${word} is not a flag of ${command.name()}; see --help`);
  for (const word of operands.slice(expected))
    problems.push(`${word} is one argument too many; see --help`);
  return problems;
}
