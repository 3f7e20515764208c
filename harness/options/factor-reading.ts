import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import {
  diskCacheBackEnds,
  fileSystems,
  type Settings,
  type Variant,
  variantSchema,
} from '@cachescope/model/run/variant.ts';
import { baselineOf, variantDifferences } from '@cachescope/model/features/differences.ts';
import { isRecompressed } from '@cachescope/model/sweep/recompressed.ts';
import { checked, parsedJson } from '@cachescope/model/parsed.ts';
import * as z from 'zod/mini';
import { messageOf } from '../error.ts';
import { readFeatureVariants } from './features-reading.ts';
import { commaSeparated, someOf } from './name-reading.ts';
import type { Problems, TextsOf } from './option-reading.ts';
import { quantity } from './quantity-option.ts';

/** The flags that set a property for a whole run or, with several values, make a variant of each. */
type RawFactors = TextsOf<
  'diskCache' | 'fileSystem' | 'readAhead' | 'cacheSize' | 'variants' | 'features'
>;

/** The part of a plan that follows from these flags. */
export interface Factors {
  settings: Settings | undefined;
  variants: Variant[] | undefined;
}

/** One factor: its levels as settings, each with a name. */
interface Factor {
  name: string;
  levels: { label: string; settings: Settings }[];
}

const mostVariants = 24;
const mostFileBytes = 1024 ** 2;

const readAhead = quantity({ kind: 'size', from: '0KiB', to: '64MiB', bare: 'KiB' });
// Chromium parses the size as a signed 32-bit number.
const cacheSize = quantity({ kind: 'size', from: '1MiB', to: '2047MiB' });

/** Read-ahead of a device, KiB: whole pages, as the kernel stores it. */
export function readAheadOf(text: string, problems: Problems): number {
  const readAheadKiB = readAhead(text, '--read-ahead', problems) / 1024;
  if (readAheadKiB % 4 !== 0 && !Number.isNaN(readAheadKiB))
    problems.push(`--read-ahead is ${JSON.stringify(text)}; it must be a multiple of 4 KiB`);
  return readAheadKiB;
}

function readFactors(raw: RawFactors, problems: Problems): Factor[] {
  const { diskCache, fileSystem, readAhead: ahead, cacheSize: size } = raw;
  const factors: Factor[] = [];
  const add = <Label extends string>(
    name: string,
    labels: readonly Label[],
    settingsOf: (label: Label) => Settings,
  ) =>
    factors.push({ name, levels: labels.map((label) => ({ label, settings: settingsOf(label) })) });
  if (diskCache !== undefined)
    add('disk-cache', someOf(diskCacheBackEnds)(diskCache, '--disk-cache', problems), (label) => ({
      diskCache: label,
    }));
  if (fileSystem !== undefined)
    add('file-system', someOf(fileSystems)(fileSystem, '--file-system', problems), (label) => ({
      fileSystem: label,
    }));
  if (ahead !== undefined)
    add('read-ahead', commaSeparated(ahead), (label) => ({
      readAheadKiB: readAheadOf(label, problems),
    }));
  if (size !== undefined)
    add('cache-size', commaSeparated(size), (label) => ({
      cacheBytes: cacheSize(label, '--cache-size', problems),
    }));
  for (const { name, levels } of factors) {
    if (new Set(levels.map(({ label }) => label)).size < levels.length)
      problems.push(`--${name} names a value twice`);
  }
  return factors;
}

/** Every combination of the levels, named `disk-cache=sql+read-ahead=0`. */
function combinations([first, ...rest]: readonly Factor[]): Variant[] {
  if (!first) return [];
  const heads = first.levels.map(({ label, settings }) => ({
    name: `${first.name}=${label}`,
    ...settings,
  }));
  const tails = combinations(rest);
  if (tails.length === 0) return heads;
  return heads.flatMap((head) =>
    tails.map((tail) => ({ ...head, ...tail, name: `${head.name}+${tail.name}` })),
  );
}

/** Strict: a misspelt field would silently compare a variant with itself. */
const variantsSchema = z
  .array(z.strictObject(variantSchema.shape))
  .check(z.minLength(1), z.maxLength(mostVariants));

function readVariantsFile(path: string, problems: Problems): Variant[] {
  let text = '';
  try {
    text = readForeignText(path, { mostBytes: mostFileBytes });
  } catch (error) {
    problems.push(`--variants ${messageOf(error)}`);
    return [];
  }
  const json = parsedJson(path, text);
  const parsed = 'problems' in json ? json : checked(path, variantsSchema, json.value);
  if ('problems' in parsed) {
    problems.push(...parsed.problems.map((problem) => `--variants: ${problem}`));
    return [];
  }
  const names = parsed.value.map(({ name }) => name);
  if (new Set(names).size < names.length) problems.push(`--variants ${path} has a name twice`);
  if (names.some((variant) => isRecompressed({ variant })))
    problems.push(`--variants ${path} names a variant recompressed, which is the sweep's own`);
  return parsed.value;
}

/**
 * Requires that each variant differs from an earlier one in one thing: the cause of a difference would be unknown
 * otherwise.
 */
function pairable(variants: Variant[], settings: Settings | undefined, problems: Problems) {
  for (const { name } of variants.slice(1)) {
    const baseline = baselineOf({ variants, settings }, name)?.name;
    const differences = variantDifferences({ variants, settings }, baseline, name);
    if (differences.length > 1)
      problems.push(
        `--variants: ${name} differs from ${baseline} in ${differences.join(' and ')}, so no verdict could name the cause; add a variant before it that differs from it in one of them`,
      );
  }
  return variants;
}

/**
 * Parses the settings of a run's browser and disk, and the variants to compare. Problems are added to `problems`, none
 * is thrown.
 */
export function readFactorFlags(raw: RawFactors, problems: Problems): Factors {
  const factors = readFactors(raw, problems);
  const fixed = factors.filter(({ levels }) => levels.length === 1);
  const varied = factors.filter(({ levels }) => levels.length > 1);
  const common: Settings = Object.assign({}, ...fixed.map(({ levels }) => levels[0]?.settings));
  const settings = fixed.length === 0 ? undefined : common;
  if (raw.variants !== undefined && raw.features !== undefined)
    problems.push('--variants and --features exclude each other: write the features in the file');
  if (varied.length > 0 && (raw.features ?? raw.variants) !== undefined) {
    const named = raw.features === undefined ? '--variants' : '--features';
    const flags = varied.map(({ name }) => `--${name}`).join(', ');
    problems.push(
      `${named} and several values of ${flags} exclude each other: write them in a file for --variants`,
    );
  }
  if (raw.features !== undefined)
    return {
      settings,
      variants: readFeatureVariants(raw.features, '--features', problems, settings),
    };
  if (raw.variants !== undefined)
    return {
      settings,
      variants: pairable(readVariantsFile(raw.variants, problems), settings, problems),
    };
  const variants = combinations(varied);
  if (variants.length > mostVariants)
    problems.push(`${variants.length} variants; at most ${mostVariants} fit a sweep`);
  return { settings, variants: variants.length === 0 ? undefined : variants };
}
