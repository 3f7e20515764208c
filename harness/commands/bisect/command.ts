import { outcomesText } from '@cachescope/model/compare/gated.ts';
import { Command } from 'commander';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CachescopeError } from '../../error.ts';
import { runWith } from '../../options/table-command.ts';
import { ownDirectoryMode, writeOutput } from '../../results/output-file.ts';
import { defaultRunDirectory } from '../../results/run-directory.ts';
import { say, show } from '../../terminal.ts';
import { gitStop, isStepOfGit } from './git-step.ts';
import { type MeasuredPair, measurePair } from './measured-pair.ts';
import { type Difference, type Found, type Look, narrow } from './narrowing.ts';
import { type BisectOptions, bisectOptions, moreEffort } from './options.ts';

const examples = `
Examples:
  npm run bisect -- --variants-from builds.txt --gate slower:5%
  npm run bisect -- --variants-from builds.txt --delays 5,20 --arms br,dcb
  git bisect run sh -c 'ninja -C out chrome || exit 125
    cachescope bisect --against stock/chrome --of out/chrome'

Each line of the list is a path, or COMMIT: PATH; the oldest browser is first.`;

/** `cachescope bisect`: finds the first browser of a list that differs from the first one. */
export function bisectCommand(): Command {
  const command = new Command('bisect')
    .summary('the first browser of an ordered list whose cached reads differ')
    .description(
      'Finds the first browser of an ordered list whose cached reads differ from those of the first one. Each step is a sweep of ' +
        'two browsers, interleaved, that ends when the comparison is decided.',
    )
    .addHelpText('after', examples);
  return runWith(command, bisectOptions, async (options) => {
    if (!options) return;
    if (!isStepOfGit(process.argv)) return bisect(options);
    try {
      await bisect(options);
    } catch (error) {
      // git bisect run takes most exit codes for a bad commit: a step that could not be measured is skipped.
      if (isOpen(error)) process.exitCode = gitSkip;
      else process.exitCode = gitStop;
      say(String(error));
    }
  });
}

/** Exit codes of git-bisect(1), "Bisect run". */
const gitBad = 1;
const gitSkip = 125;

function isOpen(error: unknown): boolean {
  return error instanceof CachescopeError && error.code === 'CS_BISECT_OPEN';
}

async function bisect(options: BisectOptions): Promise<void> {
  const path = options.out ?? defaultRunDirectory('bisect', new Date().toISOString());
  mkdirSync(path, { recursive: true, mode: ownDirectoryMode });
  const looks: Look[] = [];
  const found = await narrow(options.steps.length, async (against, of) => {
    const difference = await look(options, path, looks.length, [against, of]);
    looks.push({ against, of, difference });
    writeOutput(
      join(path, 'bisect.json'),
      `${JSON.stringify({ steps: options.steps, looks }, null, 2)}\n`,
    );
    return difference;
  });
  report(found, options, path);
}

/**
 * Measures a pair, and once more for longer when it stays undecided: the extra time is spent only where it is needed.
 */
async function look(
  options: BisectOptions,
  path: string,
  count: number,
  places: readonly [number, number],
): Promise<Difference> {
  const [against, of] = places.map((place) => options.steps[place]);
  if (!against || !of) throw new Error(`no step ${places.join(' or ')}`);
  const name = `${String(count + 1).padStart(2, '0')}-${of.name}-against-${against.name}`;
  for (const effort of [1, moreEffort]) {
    const folder = join(path, effort === 1 ? name : `${name}-again`);
    const measured = await measurePair([against, of], folder, options, effort);
    tell(measured, against.name, of.name);
    // More samples of a busy machine decide nothing.
    if (measured.inconclusive !== null)
      throw new CachescopeError(
        'CS_BISECT_OPEN',
        `${of.name} against ${against.name} is inconclusive: ${measured.inconclusive} (${measured.run})`,
        { hint: 'Start again on a quiet machine: npm run doctor says what makes it busy.' },
      );
    if (measured.difference !== 'open') return measured.difference;
  }
  return 'open';
}

const words: Readonly<Record<Difference, string>> = {
  differs: 'differs from',
  alike: 'does not differ from',
  open: 'is undecided against',
};

function tell({ difference, judged, run }: MeasuredPair, against: string, of: string): void {
  show(
    `${of} ${words[difference]} ${against}: ${judged.gate.text} ${outcomesText(judged)} (${run})\n`,
  );
  for (const { place, sentence } of judged.cells) show(`  ${place}: ${sentence}\n`);
}

function report(found: Found, { steps, forGit, gate }: BisectOptions, path: string): void {
  if (found.outcome === 'ends alike') {
    if (forGit) return;
    throw new CachescopeError(
      'CS_BISECT_ALIKE',
      `${steps.at(-1)?.name} does not differ from ${steps[0]?.name} by ${gate.text}: no step is searched`,
    );
  }
  if (found.outcome === 'ends open')
    throw open(`${steps.at(-1)?.name} is undecided against ${steps[0]?.name} (${path})`);
  const [from, to] = [steps[found.from], steps[found.to]];
  if (found.outcome === 'open')
    throw open(
      `the first browser that differs is after ${from?.name}, and ${to?.name} at the latest; the samples do not show which (${path})`,
    );
  if (forGit) process.exitCode = gitBad;
  else
    show(
      `The first that differs: ${to?.name} (${to?.browser})\nThe last before it: ${from?.name} (${from?.browser})\n`,
    );
}

function open(message: string): CachescopeError {
  return new CachescopeError('CS_BISECT_OPEN', message, {
    hint: 'Add samples: --max-time 60m, or choose a delay at which the difference is greater.',
  });
}
