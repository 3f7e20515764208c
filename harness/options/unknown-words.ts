import type { Command } from 'commander';

/**
 * Unknown flags and excess arguments of a command line, as a list of problems. The command must allow unknown options
 * and excess arguments: commander itself stops at the first of them.
 */
export function unknownWords(command: Command): string[] {
  const flags = command.args.filter(isFlag);
  const problems = flags.map((word) => `${word} is not an option of ${command.name()}; see --help`);
  const isList = command.registeredArguments.at(-1)?.variadic === true;
  for (const word of isList ? [] : operandsOf(command).slice(command.registeredArguments.length))
    problems.push(`${word} is one argument too many; see --help`);
  return problems;
}

/** The typed arguments in order, without the unknown flags that commander leaves among them. */
export function operandsOf(command: Command): string[] {
  return command.args.filter((word) => !isFlag(word));
}

/** A negative number is an argument. */
function isFlag(word: string): boolean {
  return /^-(?!\d)/.test(word);
}
