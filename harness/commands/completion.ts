import { Command } from 'commander';
import { usageError } from '../error.ts';
import { show } from '../terminal.ts';

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

/** The words that can follow a command on the command line. */
interface Completion {
  /** `sweep`, `storage up`; empty for the command line itself. */
  command: string;
  words: { word: string; description: string }[];
}

/** Each command with the words and options that may follow it. */
export function completionsOf(root: Command, path: readonly string[] = []): Completion[] {
  const shown = root.createHelp();
  const words = [
    ...shown.visibleCommands(root).map((each) => ({
      word: each.name(),
      description: shown.subcommandDescription(each),
    })),
    ...shown
      .visibleOptions(root)
      .flatMap((option) =>
        option.long === undefined || option.long === null
          ? []
          : [{ word: option.long, description: shown.optionDescription(option) }],
      ),
  ].map(({ word, description }) => ({ word, description: oneLine(description) }));
  const inside = root.commands.flatMap((child) => completionsOf(child, [...path, child.name()]));
  return [{ command: path.join(' '), words }, ...inside];
}

function oneLine(text: string): string {
  return text.split('\n', 1).join('');
}

/** Completes words and options; where none matches, files. bash(1), "Programmable Completion". */
export function bashScript(completions: readonly Completion[]): string {
  const cases = completions
    .toReversed()
    .map(({ command, words }) => {
      const pattern = command === '' ? '*' : `"${command} "*`;
      return `    ${pattern}) words='${words.map(({ word }) => word).join(' ')}' ;;`;
    })
    .join('\n');
  return `_cachescope() {
  local words current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _cachescope cachescope
`;
}

/** Uses zsh's own emulation of bash's completion: zshcompsys(1), `bashcompinit`. */
function zshScript(completions: readonly Completion[]): string {
  return `autoload -Uz compinit bashcompinit\ncompinit\nbashcompinit\n${bashScript(completions)}`;
}

/** fish: complete(1), with a description for each word. */
export function fishScript(completions: readonly Completion[]): string {
  return completions
    .flatMap(({ command, words }) => {
      const condition =
        command === ''
          ? '__fish_use_subcommand'
          : command
              .split(' ')
              .map((word) => `__fish_seen_subcommand_from ${word}`)
              .join('; and ');
      return words.map(({ word, description }) => {
        const named = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
        return `complete -c cachescope -n '${condition}' ${named} -d '${description.replaceAll(/['\\]/g, String.raw`\$&`)}'\n`;
      });
    })
    .join('');
}
