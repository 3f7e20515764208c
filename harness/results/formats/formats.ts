import type { Problems } from '../../options/option-reading.ts';
import { requireUsed } from '../../options/unused-options.ts';
import type { Format, Labels } from './measurements.ts';
import { histogramSet } from './histogram-set.ts';
import { markdown, stepSummary } from './markdown.ts';
import { parquet } from './parquet.ts';
import { skiaPerf } from './skia-perf.ts';

/** Every format by its name on the command line. */
export const formats: Readonly<Record<string, Format>> = {
  markdown,
  'step-summary': stepSummary,
  'histogram-set': histogramSet,
  'skia-perf': skiaPerf,
  parquet,
};

/** The names of all formats, for the help. */
export const formatNames = Object.keys(formats).join(', ');

/** The names of those that show a comparison. */
export const comparisonFormatNames = Object.keys(formats)
  .filter((name) => !formats[name]?.hasSamples)
  .join(', ');

/** The options of a format as text, before parsing. */
export interface RawFormatOptions {
  format?: string | undefined;
  bot?: string | undefined;
  gitHash?: string | undefined;
}

/** A requested format, with the labels for it. */
export interface AskedFormat {
  format: Format;
  labels: Labels;
}

/** The options of a command that prints a run in another form; `description` says what `--format` does. */
export function formatTable(description: string) {
  return {
    format: { value: '<name>', description },
    bot: { value: '<name>', description: 'with --format: name of the machine' },
    gitHash: {
      value: '<hash>',
      description: 'with --format: commit of the browser that was measured',
    },
  } as const;
}

const flags = { bot: '--bot', gitHash: '--git-hash' } as const;

/**
 * Reads `--format`, `--bot` and `--git-hash`; undefined when no format is named, or the name is unknown.
 *
 * @param known the names for the help.
 */
export function readFormat(
  raw: RawFormatOptions,
  problems: Problems,
  known = formatNames,
): AskedFormat | undefined {
  const { format: name, bot, gitHash } = raw;
  const labels = { bot: bot?.trim(), gitHash: gitHash?.toLowerCase() };
  if (labels.bot === '') problems.push('--bot is empty; name the machine, as lab-1');
  if (labels.gitHash !== undefined && !/^[0-9a-f]{7,64}$/.test(labels.gitHash))
    problems.push(
      `--git-hash is ${JSON.stringify(gitHash)}; it must be 7 to 64 hexadecimal digits`,
    );
  if (name === undefined) {
    const ofFormats = {
      options: ['bot', 'gitHash'],
      isUsed: false,
      otherwise: 'only with --format',
    };
    requireUsed({ bot, gitHash }, [ofFormats], problems);
    return undefined;
  }
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (!format) {
    problems.push(`--format is ${JSON.stringify(name)}; known are ${known}`);
    return undefined;
  }
  for (const label of format.needs ?? [])
    if (labels[label] === undefined)
      problems.push(`--format ${name} needs ${flags[label]}; its readers sort by it`);
  return { format, labels };
}
