import type { Argument, Command, Help, Option } from 'commander';
import { groupItems } from './options/option-groups.ts';

/** Gives a command and its subcommands the same layout of `--help`: short names, and defaults as one types them. */
export function layOutHelp(command: Command): void {
  command.configureHelp(layout);
  for (const child of command.commands) layOutHelp(child);
}

/** The arguments of a command stand in its own help: beside its name they leave a description no room in 80 columns. */
const layout: Partial<Help> = {
  subcommandTerm: (command) => command.name(),
  optionDescription: withDefault,
  argumentDescription: withDefault,
  groupItems,
};

function withDefault({ description, defaultValue }: Option | Argument): string {
  return typeof defaultValue === 'string'
    ? `${description} (default: ${defaultValue})`.trimStart()
    : description;
}
