import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import { type Gate, parsedGate } from '@cachescope/model/compare/gate.ts';
import { messageOf } from '../../error.ts';
import { parsedBy, type Problems, readOut } from '../../options/option-reading.ts';
import type { OptionValues } from '../../options/option-table.ts';
import { tableOptions } from '../../options/table-command.ts';
import { quantity } from '../../options/quantity-option.ts';

/** A browser in an ordered list. */
export interface Step {
  /** A commit, as written in the list; otherwise the position in the list: `step3`. */
  name: string;
  browser: string;
}

/** Maximum size of a list, bytes: a list of some hundred lines is already long. */
const mostBytes = 1024 ** 2;

/**
 * Reads a list of browsers, oldest first: a line for each, a path or `COMMIT: PATH`; paths are relative to the folder
 * of the list. Empty lines and lines that begin with # are ignored. Problems are added to `problems`, none is thrown.
 */
export function readSteps(file: string, problems: Problems): Step[] {
  let text: string;
  try {
    text = readForeignText(file, { mostBytes });
  } catch (error) {
    problems.push(`--variants-from: ${messageOf(error)}`);
    return [];
  }
  const lines = text.split('\n').map((line) => line.trim());
  const steps = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line, index): Step => {
      const [, name = `step${index + 1}`, path = line] = /^([^\s:/]+):\s*(.+)$/.exec(line) ?? [];
      return { name, browser: resolve(dirname(file), path) };
    });
  const where = `--variants-from ${file}`;
  if (steps.length < 2)
    problems.push(`${where} names ${steps.length} browsers; at least 2 are needed`);
  for (const { name, browser } of steps) {
    if (!/^[\w.=+-]{1,60}$/.test(name))
      problems.push(
        `${where}: ${JSON.stringify(name)} is not a name; it has 1 to 60 letters, digits and ._=+-`,
      );
    checkBrowser(where, browser, problems);
  }
  const names = steps.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) < index);
  if (twice.length > 0) problems.push(`${where} has ${[...new Set(twice)].join(', ')} twice`);
  return steps;
}

/** Adds a problem when the path is not a program that this user can start. */
function checkBrowser(flag: string, path: string, problems: Problems): void {
  try {
    accessSync(path, constants.X_OK);
    if (!statSync(path).isFile()) problems.push(`${flag}: ${path} is not a file`);
  } catch {
    problems.push(`${flag}: ${path} is not there, or cannot be started`);
  }
}

/** The options of `bisect`, parsed and checked. */
export interface BisectOptions {
  /** Oldest first; two when `--against` and `--of` name them. */
  steps: Step[];
  /** Use the exit codes that `git bisect run` expects. */
  forGit: boolean;
  gate: Gate;
  /** As shares: the gate's margin, and the target half-width of the intervals. */
  margin: number;
  precision: number;
  maxTimeMs: number;
  /** Options with their values that are passed unchanged to the sweep of each pair. */
  sweep: string[];
  out: string | undefined;
}

/** Options of the sweep that measures a pair. */
const sweepOptions = [
  'delays',
  'arms',
  'samples',
  'workload',
  'storage',
  'launches',
  'env',
] as const;

/** An undecided pair is measured once more, for this many times as long. */
export const moreEffort = 4;
/** Largest equivalence margin of a sweep. */
const mostMargin = 0.5;
/** Smallest equivalence margin. A gate without a relative limit uses it. */
const leastMargin = 0.005;
const tooFine =
  'medians that differ by less than 0.5 % are not distinguished, so its limit must be 0.5% or more';
const tooCoarse = 'the margin of a sweep is at most 50 %, so its limit must be 50% or less';

const bisectTable = {
  variantsFrom: {
    value: '<list>',
    description: 'file of browsers, oldest first, one on each line: PATH or COMMIT: PATH',
  },
  against: { value: '<path>', description: 'under git bisect run: the browser that is good' },
  of: { value: '<path>', description: 'under git bisect run: the browser that was just built' },
  gate: {
    value: '<rule>',
    description: 'what counts as a difference, as for compare',
    default: 'any:5%',
    read: parsedBy(parsedGate),
  },
  maxTime: {
    value: '<time>',
    description:
      'start no further pass of a step after this time; an undecided step is repeated once, for 4 times as long',
    default: '10m',
    // The longer sweep accepts at most 1000 h.
    read: quantity({ kind: 'time', from: '1s', to: `${1000 / moreEffort}h` }),
  },
  delays: {
    value: '<list>',
    description: 'read delays of the sweep, ms (default: 5; none with --storage none)',
  },
  arms: { value: '<list>', description: 'content codings of the sweep', default: 'dcb' },
  samples: {
    value: '<n>',
    description: 'minimum number of timed reads of a cell',
    default: '20',
  },
  launches: { value: '<n>', description: 'minimum number of browser launches of a step' },
  workload: { value: '<list>', description: 'workloads of the sweep' },
  storage: { value: '<kind>', description: 'storage of the sweep' },
  env: { value: '<rule>', description: 'on a machine unfit to measure: throw, warn or skip' },
  out: {
    value: '<dir>',
    description: 'new directory for the runs (default: results/<time>_bisect)',
    read: readOut,
  },
} as const;

type Values = OptionValues<typeof bisectTable>;

/** The options of `bisect`; null: they have a problem. */
export const bisectOptions = tableOptions(bisectTable, (values, problems): BisectOptions | null => {
  const steps = stepsOf(values, problems);
  const [gate] = values.gate;
  if (problems.length > 0 || !gate) return null;
  const margin = gate.limit && 'share' in gate.limit ? gate.limit.share : leastMargin;
  if (margin < leastMargin || margin > mostMargin) {
    const problem = margin < leastMargin ? tooFine : tooCoarse;
    problems.push(`--gate is ${JSON.stringify(gate.text)}; ${problem}`);
  }
  // Without a slow device a sweep has no delays.
  const { storage, delays = storage === 'none' ? undefined : '5' } = values;
  const sweep = sweepOptions.flatMap((name) => {
    const text = name === 'delays' ? delays : values[name];
    return text === undefined ? [] : [`--${name}`, text];
  });
  return {
    steps,
    forGit: values.of !== undefined,
    gate,
    margin,
    // An interval of a quarter of the margin to either side decides every difference except one near the limit.
    precision: Math.max(margin / 4, 0.001),
    maxTimeMs: values.maxTime,
    sweep,
    out: values.out,
  };
});

function stepsOf({ variantsFrom, against, of }: Values, problems: Problems): Step[] {
  if (variantsFrom !== undefined && against === undefined && of === undefined)
    return readSteps(variantsFrom, problems);
  if (variantsFrom !== undefined || against === undefined || of === undefined) {
    problems.push(
      'name a list with --variants-from LIST; or, under git bisect run, two browsers with --against PATH --of PATH',
    );
    return [];
  }
  checkBrowser('--against', against, problems);
  checkBrowser('--of', of, problems);
  return [
    { name: 'against', browser: against },
    { name: 'of', browser: of },
  ];
}
