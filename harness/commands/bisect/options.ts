import { type Gate, parsedGate } from '@cachescope/model/compare/gate.ts';
import { type Problems, readOut } from '../../options/option-reading.ts';
import { quantity } from '../../options/quantity-option.ts';
import { checkBrowser, readSteps, type Step } from './steps.ts';

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

/** The options as text, before parsing. */
export interface RawBisectOptions {
  variantsFrom?: string;
  against?: string;
  of?: string;
  gate: string;
  maxTime: string;
  delays: string;
  arms: string;
  samples: string;
  workload?: string;
  storage?: string;
  launches?: string;
  env?: string;
  out?: string;
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

const readTime = quantity({ kind: 'time', from: '1s', to: '1000h' });
/** Minimum margin: medians closer than this are never distinguished. A gate without a relative limit uses it. */
const leastMargin = 0.005;

/** Parses the options. All problems are returned, none is thrown. */
export function readBisectOptions(raw: RawBisectOptions): {
  options: BisectOptions | null;
  problems: string[];
} {
  const problems: Problems = [];
  const steps = stepsOf(raw, problems);
  const parsed = parsedGate(raw.gate);
  if ('problems' in parsed) problems.push(...parsed.problems);
  const maxTimeMs = readTime(raw.maxTime, '--max-time', problems);
  const out = readOut(raw.out, problems);
  if (problems.length > 0 || !('value' in parsed)) return { options: null, problems };
  const gate = parsed.value;
  const share = 'share' in gate.limit ? gate.limit.share : 0;
  const margin = Math.max(share, leastMargin);
  const sweep = sweepOptions.flatMap((name) => {
    const text = raw[name];
    return text === undefined ? [] : [`--${name}`, text];
  });
  return {
    options: {
      steps,
      forGit: raw.of !== undefined,
      gate,
      margin,
      // An interval of a quarter of the margin to either side decides every difference except one near the limit.
      precision: Math.max(margin / 4, 0.001),
      maxTimeMs,
      sweep,
      out,
    },
    problems,
  };
}

function stepsOf({ variantsFrom, against, of }: RawBisectOptions, problems: Problems): Step[] {
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
