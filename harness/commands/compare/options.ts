import { factorsText, type Factors } from '@cachescope/model/compare/group.ts';
import { type Gate, parsedGate } from '@cachescope/model/compare/gate.ts';
import { parsedSelection } from '@cachescope/model/compare/selection.ts';
import { type Problems, readNewFile, readOut } from '../../options/option-reading.ts';
import { commaSeparated, oneOf } from '../../options/name-reading.ts';
import { quantity } from '../../options/quantity-option.ts';
import { requireUsed } from '../../options/unused-options.ts';
import {
  type AskedFormat,
  comparisonFormatNames,
  type RawFormatOptions,
  readFormat,
} from '../../results/formats/formats.ts';

const readGateUnknown = oneOf(['pass', 'fail']);
const readMargin = quantity({ kind: 'share', from: '0.01%', to: '100%' });

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
}

/** The options as text, before parsing. */
export interface RawCompareOptions extends RawFormatOptions {
  json: boolean;
  /** The whole text in place of one screen. */
  verbose: boolean;
  sources: readonly string[];
  group: readonly string[];
  margin: string | undefined;
  metric: string | undefined;
  across: string | undefined;
  names: string | undefined;
  gate: readonly string[];
  gateUnknown: string | undefined;
  junit: string | undefined;
  out: string | undefined;
}

function readSelections(texts: readonly string[], problems: Problems): Factors[] {
  return texts.flatMap((text) => {
    const parsed = parsedSelection(text);
    if ('value' in parsed) return [parsed.value];
    problems.push(...parsed.problems);
    return [];
  });
}

function readNames(text: string | undefined, problems: Problems): [string, string] | undefined {
  if (text === undefined) return undefined;
  const [against = '', of = '', ...more] = commaSeparated(text);
  if (against !== '' && of !== '' && more.length === 0 && against !== of) return [against, of];
  problems.push(
    `--names is ${JSON.stringify(text)}; it must be two names with a comma between, as stock,patched`,
  );
  return undefined;
}

function readGates(raw: RawCompareOptions, problems: Problems): Gate[] {
  const gates = [...new Set(raw.gate)].flatMap((text) => {
    const parsed = parsedGate(text);
    if ('value' in parsed) return [parsed.value];
    problems.push(...parsed.problems);
    return [];
  });
  const { gateUnknown, junit } = raw;
  const isUsed = raw.gate.length > 0;
  const ofGates = { options: ['gateUnknown', 'junit'], isUsed, otherwise: 'only with --gate' };
  requireUsed({ gateUnknown, junit }, [ofGates], problems);
  return gates;
}

/** Parses the options of `compare`. All problems are returned, none is thrown. */
export function readCompareOptions(raw: RawCompareOptions): {
  options: CompareOptions;
  problems: string[];
} {
  const problems: Problems = [];
  const [first = '', second = first] = raw.sources;
  const selections = readSelections(raw.group, problems);
  const [chosen = {}, other = chosen] = selections;
  if (raw.sources.length === 0)
    problems.push('no run is named: name A, the baseline, and B, or two groups of A');
  if (raw.sources.length > 2)
    problems.push(`${raw.sources.length} runs are named; a comparison has two, A and B`);
  if (raw.group.length > 2)
    problems.push(`--group is given ${raw.group.length} times; a comparison has two groups`);
  if (raw.sources.length === 1 && raw.group.length < 2 && problems.length === 0)
    problems.push(
      'one run is named: name a second one, or two groups of it, for example --group arm=br --group arm=dcb',
    );
  if (
    raw.sources.length === 1 &&
    raw.group.length === 2 &&
    factorsText(chosen) === factorsText(other)
  )
    problems.push(`both groups are ${raw.group[0]}: a group cannot be compared with itself`);
  if (raw.json && raw.format !== undefined)
    problems.push('--json and --format are two forms of the result; remove one');
  const options: CompareOptions = {
    against: { path: first, selection: chosen },
    of: { path: second, selection: other },
    margin: raw.margin === undefined ? undefined : readMargin(raw.margin, '--margin', problems),
    metric: raw.metric,
    across: raw.across === undefined ? [] : commaSeparated(raw.across),
    names: readNames(raw.names, problems),
    gates: readGates(raw, problems),
    gateUnknown: readGateUnknown(raw.gateUnknown ?? 'pass', '--gate-unknown', problems),
    junit: readNewFile(raw.junit, '--junit', problems),
    format: readFormat(raw, problems, comparisonFormatNames),
    out: readOut(raw.out, problems),
  };
  return { options, problems };
}
