import { Command } from 'commander';
import { usageError } from '../../error.ts';
import { show } from '../../terminal.ts';
import { bashScript, completionsOf, fishScript, zshScript } from './scripts.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
const known = Object.keys(scripts).join(', ');

const examples = `
Examples:
  cachescope completion bash >> ~/.bashrc
  cachescope completion zsh >> ~/.zshrc
  cachescope completion fish > ~/.config/fish/completions/cachescope.fish`;

/**
 * `cachescope completion`, for these commands: prints a script that a shell loads at its start. It completes the
 * installed command.
 */
export function completionCommand(commands: readonly (() => Promise<Command>)[]): Command {
  return new Command('completion')
    .summary('a script with which a shell completes commands and options')
    .description(
      'Prints a script with which a shell completes the commands and options of the installed command cachescope.',
    )
    .argument('<shell>', known)
    .addHelpText('after', examples)
    .action(async (shell: string) => {
      const script = Object.hasOwn(scripts, shell)
        ? scripts[shell as keyof typeof scripts]
        : undefined;
      if (!script) throw usageError([`shell is ${JSON.stringify(shell)}; known are ${known}`]);
      const root = new Command('cachescope').version('');
      for (const load of commands) root.addCommand(await load());
      show(script(completionsOf(root)));
    });
}
