import { execFileSync } from 'node:child_process';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { bashScript, completionsOf, fishScript } from './completion.ts';

const root = new Command('cachescope').version('1');
root
  .command('sweep')
  .summary("time the cache's reads")
  .option('--storage <kind>', 'where')
  .option('--state <state>', 'what');
const storage = root.command('storage').summary('a slow disk');
storage.command('up').summary('make it').option('--delay <ms>', "each read's delay\nmore");
const completions = completionsOf(root);

/** The completions that bash offers for the last of these words. */
function offered(...words: string[]): string[] {
  const script = `${bashScript(completions)}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cachescope; echo "\${COMPREPLY[@]}"`;
  const said = execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
  return said.trim().split(' ');
}

test('bash completes commands, their arguments, and options', () => {
  expect(offered('cachescope', 's')).toEqual(['sweep', 'storage']);
  expect(offered('cachescope', 'sweep', '--st')).toEqual(['--storage', '--state']);
  expect(offered('cachescope', 'storage', 'u')).toEqual(['up']);
  expect(offered('cachescope', 'storage', 'up', '--de')).toEqual(['--delay']);
  expect(offered('cachescope', 'sweep', 'results/')).toEqual(['']);
});

test('fish gets a line for each word, with its description', () => {
  expect(fishScript(completions).split('\n')).toEqual(
    expect.arrayContaining([
      String.raw`complete -c cachescope -n '__fish_use_subcommand' -f -a sweep -d 'time the cache\'s reads'`,
      String.raw`complete -c cachescope -n '__fish_seen_subcommand_from storage; and __fish_seen_subcommand_from up' -l delay -d 'each read\'s delay'`,
    ]),
  );
});
