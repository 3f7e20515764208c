import type { Command } from 'commander';
import { experiments } from '../experiments/index.ts';

/** Every command of the command line. Only the named one is loaded: loading all takes a second on a slow machine. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  ...Object.fromEntries(
    Object.entries(experiments).map(([name, load]) => [name, async () => (await load()).command()]),
  ),
  plan: async () =>
    (await import('./plan.ts')).planCommand(
      process.argv[2] === 'plan' ? process.argv[3] : undefined,
    ),
  merge: async () => (await import('./merge.ts')).mergeCommand(),
  compare: async () => (await import('./compare/command.ts')).compareCommand(),
  baseline: async () => (await import('./baseline/command.ts')).baselineCommand(),
  bisect: async () => (await import('./bisect/command.ts')).bisectCommand(),
  query: async () => (await import('./query/command.ts')).queryCommand(),
  har: async () => (await import('./har/command.ts')).harCommand(),
  lint: async () => (await import('./lint/command.ts')).lintCommand(),
  report: async () => (await import('./report.ts')).reportCommand(),
  storage: async () => (await import('./storage.ts')).storageCommand(),
  clean: async () => (await import('./clean.ts')).cleanCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  origin: async () => (await import('@cachescope/origin/command.ts')).originCommand(),
  completion: async () =>
    (await import('./completion.ts')).completionCommand(Object.values(commands)),
};

/** The first words that the command line accepts. */
export const commandNames: readonly string[] = Object.keys(commands);
