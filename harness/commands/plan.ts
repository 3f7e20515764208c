import { Command } from 'commander';
import { usageError } from '../error.ts';
import { experiments } from '../experiments/index.ts';

const examples = `
Examples:
  npm run plan -- sweep 0 10 2 --storage nbd-live --out plan.json
  npm run sweep -- --plan plan.json --shard 1/3   on machine 1 of 3`;

/**
 * `cachescope plan`: writes the plan of an experiment to a file that machines share. With `name`, only that experiment
 * is loaded.
 *
 * @throws CachescopeError CS_USAGE for an experiment whose plan cannot be divided.
 */
export async function planCommand(name?: string): Promise<Command> {
  const command = new Command('plan')
    .summary('write the plan of an experiment to a file, for machines that share it')
    .description(
      'Writes the plan of an experiment to a file. Each machine takes a part of it with --plan FILE --shard N/COUNT; ' +
        'npm run merge merges the parts. The options are those of the experiment.',
    )
    .addHelpText('after', examples);
  const known = name !== undefined && Object.hasOwn(experiments, name);
  for (const each of known ? [name] : Object.keys(experiments)) {
    const plan = await (await experiments[each]?.())?.planCommand();
    if (plan) command.addCommand(plan);
    else if (known)
      throw usageError([`${name} has no plan that machines can share; see plan --help`]);
  }
  return command;
}
