import { factorsText, type Factors } from '@cachescope/model/compare/group.ts';
import { type Gate, parsedGate } from '@cachescope/model/compare/gate.ts';
import { parsedSelection } from '@cachescope/model/compare/selection.ts';
import { type Problems, readNewFile, readOut, parsedBy } from '../../options/option-reading.ts';
import { commaSeparated, oneOf } from '../../options/name-reading.ts';
import { quantity } from '../../options/quantity-option.ts';
import type { OptionTexts, OptionValues } from '../../options/option-table.ts';
import { tableOptions } from '../../options/table-command.ts';
import { requireUsed } from '../../options/unused-options.ts';
import {
  type AskedFormat,
  comparisonFormatNames,
  formatTable,
  readFormat,
} from '../../results/formats/formats.ts';

/** The options of `compare`, parsed and checked. */
export interface CompareOptions {
  /** The two sides: the path of each, and the selected group. */
  against: { path: string; selection: Factors };
  of: { path: string; selection: Factors };
  /** As a share; undefined: that of the runs. */
  margin: number | undefined;
  metric: string | undefined;
  across: string[];
  names: [against: string, of: string] | undefined;
  gates: Gate[];
  /** Whether an undecided gate lets the command exit with 0. */
  gateUnknown: 'pass' | 'fail';
  /** New file for the results of the gates. */
  junit: string | undefined;
  /** Format shown instead of the table. */
  format: AskedFormat | undefined;
  out: string | undefined;
  /** Print compare.json instead of the table. */
  json: boolean;
  /** Print the whole text in place of one screen. */
  verbose: boolean;
}

function readNames(text: string, flag: string, problems: Problems): [string, string] | undefined {
  const [against = '', of = '', ...more] = commaSeparated(text);
  if (against !== '' && of !== '' && more.length === 0 && against !== of) return [against, of];
  problems.push(
    `${flag} is ${JSON.stringify(text)}; it must be two names with a comma between, as stock,patched`,
  );
  return undefined;
}

/** The options of every command that compares two runs: what is judged, and how it is reported. */
export const judgingTable = {
  metric: {
    value: '<name>',
    description: 'readMs, deviceReads or deviceReadKiB (default: readMs)',
  },
  margin: {
    value: '<share>',
    description:
      'equivalence margin: SAME where the whole interval of the relative difference is within it (default: that of the runs; 2% where they differ)',
    read: quantity({ kind: 'share', from: '0.01%', to: '100%' }),
  },
  across: {
    value: '<list>',
    description:
      'conditions that may differ: some of chromium, flags, kernel, storage, machine, workload, variants, "slow device", "page cache", settings',
    read: commaSeparated,
  },
  names: { value: '<A,B>', description: 'names of A and B in the output', read: readNames },
  gate: {
    value: '<rule>',
    description:
      'exit code 10 when B is worse than this allows, such as slower:5%, any, deviceReads:+1; can be repeated',
    isRepeatable: true,
    read: parsedBy(parsedGate),
  },
  gateUnknown: {
    value: '<rule>',
    description:
      'outcome of a gate that the samples do not decide: pass, or fail with exit code 11 (default: pass)',
    read: oneOf(['pass', 'fail']),
  },
  junit: {
    value: '<file>',
    description: 'write the outcome of the gates to a new file, as JUnit XML',
    read: readNewFile,
  },
  out: {
    value: '<dir>',
    description: 'write compare.json, .csv, .txt and .html to a new directory',
    read: readOut,
  },
  json: { description: 'print compare.json instead of the table' },
  verbose: { description: 'print a sentence for each pair too' },
  ...formatTable(`print in this form instead: ${comparisonFormatNames}`),
} as const;

/** Checks and combines the options of a comparison of two sides. */
export function askJudging(
  values: OptionValues<typeof judgingTable>,
  sides: Pick<CompareOptions, 'against' | 'of'>,
  problems: Problems,
  typed: OptionTexts,
): CompareOptions {
  const { metric, margin, across = [], names, gateUnknown = 'pass', junit, out } = values;
  const { json, verbose } = values;
  // A rule that is given twice is one gate.
  const gates = [...new Map(values.gate.flat().map((gate) => [gate.text, gate])).values()];
  const isUsed = values.gate.length > 0;
  const ofGates = { options: ['gateUnknown', 'junit'], isUsed, otherwise: 'only with --gate' };
  requireUsed(typed, [ofGates], problems);
  if (json && values.format !== undefined)
    problems.push('--json and --format are two forms of the result; remove one');
  const format = readFormat(values, problems, comparisonFormatNames);
  const reported = { gateUnknown, junit, format, out, json, verbose };
  return { ...sides, margin, metric, across, names, gates, ...reported };
}

const compareTable = {
  A: {
    isArgument: true,
    value: '<dir>',
    description: 'directory of a sweep, or classic CSV: the baseline',
  },
  B: {
    isArgument: true,
    value: '<dir>',
    description: 'the same, compared with A (default: A, with two --group)',
  },
  group: {
    value: '<factors>',
    description: 'cells of A, then cells of B, for example arm=dcb,delay=5',
    isRepeatable: true,
    read: parsedBy(parsedSelection),
  },
  ...judgingTable,
} as const;

/** The options of `compare`. */
export const compareOptions = tableOptions(compareTable, (values, problems, typed) => {
  const { A: first = '', B: second, group } = values;
  const [chosen = {}, other = chosen] = group.flat();
  if (first === '')
    problems.push('no run is named: name A, the baseline, and B, or two groups of A');
  if (group.length > 2)
    problems.push(`--group is given ${group.length} times; a comparison has two groups`);
  const isOne = first !== '' && second === undefined;
  if (isOne && group.length < 2 && problems.length === 0)
    problems.push(
      'one run is named: name a second one, or two groups of it, for example --group arm=br --group arm=dcb',
    );
  if (isOne && group.length === 2 && factorsText(chosen) === factorsText(other))
    problems.push(
      `both groups are ${[typed['group']].flat()[0]}: a group cannot be compared with itself`,
    );
  const sides = {
    against: { path: first, selection: chosen },
    of: { path: second ?? first, selection: other },
  };
  return askJudging(values, sides, problems, typed);
});
