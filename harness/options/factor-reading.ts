import { readFileSync } from 'node:fs';
import {
  type DiskCacheBackEnd,
  diskCacheBackEnds,
  type FileSystem,
  fileSystems,
  type Settings,
  type Variant,
  variantSchema,
} from '@cachescope/model/variant.ts';
import { checked, parsedJson } from '@cachescope/model/parsed.ts';
import * as z from 'zod/mini';
import type { Problems } from './option-reading.ts';

/** The flags that set something for a whole run, or, with several values, make a variant of each. */
export interface RawFactors {
  diskCache?: string | undefined;
  fileSystem?: string | undefined;
  readAhead?: string | undefined;
  cacheSize?: string | undefined;
  variants?: string | undefined;
}

/** What these flags make of a plan. */
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

function items(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

function oneOf<Item extends string>(
  flag: string,
  text: string,
  known: readonly Item[],
  problems: Problems,
): Item[] {
  const named = items(text);
  const unknown = named.filter((name) => !known.includes(name as Item));
  if (unknown.length > 0) {
    problems.push(
      `${flag} names ${unknown.map((name) => JSON.stringify(name)).join(', ')}; known are ${known.join(', ')}`,
    );
  }
  return named.filter((name): name is Item => known.includes(name as Item));
}

function readAheadLevels(text: string, problems: Problems): Factor['levels'] {
  return items(text).flatMap((item) => {
    const readAheadKiB = /^\d+$/.test(item) ? Number(item) : Number.NaN;
    // The kernel keeps whole pages of 4 KiB.
    if (readAheadKiB <= 65536 && readAheadKiB % 4 === 0)
      return [{ label: item, settings: { readAheadKiB } }];
    problems.push(
      `--read-ahead is ${JSON.stringify(item)}; it must be a whole number of KiB from 0 to 65536, a multiple of 4`,
    );
    return [];
  });
}

const sizeUnits = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;
const leastCacheBytes = 1024 ** 2;

function cacheSizeLevels(text: string, problems: Problems): Factor['levels'] {
  return items(text).flatMap((item) => {
    const [, number = '', unit = ''] = /^(\d+)(KiB|MiB|GiB)$/.exec(item) ?? [];
    const cacheBytes = Number(number) * (sizeUnits[unit as keyof typeof sizeUnits] ?? Number.NaN);
    if (cacheBytes >= leastCacheBytes && cacheBytes < 2 ** 31)
      return [{ label: item, settings: { cacheBytes } }];
    problems.push(
      `--cache-size is ${JSON.stringify(item)}; it must be from 1MiB to below 2GiB, with its unit: 64MiB`,
    );
    return [];
  });
}

function readFactors(raw: RawFactors, problems: Problems): Factor[] {
  const factors: Factor[] = [];
  const { diskCache, fileSystem, readAhead, cacheSize } = raw;
  if (diskCache !== undefined) {
    const named: DiskCacheBackEnd[] = oneOf('--disk-cache', diskCache, diskCacheBackEnds, problems);
    const levels = named.map((name) => ({ label: name, settings: { diskCache: name } }));
    factors.push({ name: 'disk-cache', levels });
  }
  if (fileSystem !== undefined) {
    const named: FileSystem[] = oneOf('--file-system', fileSystem, fileSystems, problems);
    const levels = named.map((name) => ({ label: name, settings: { fileSystem: name } }));
    factors.push({ name: 'file-system', levels });
  }
  if (readAhead !== undefined)
    factors.push({ name: 'read-ahead', levels: readAheadLevels(readAhead, problems) });
  if (cacheSize !== undefined)
    factors.push({ name: 'cache-size', levels: cacheSizeLevels(cacheSize, problems) });
  for (const { name, levels } of factors) {
    if (new Set(levels.map(({ label }) => label)).size < levels.length)
      problems.push(`--${name} names a value twice`);
  }
  return factors;
}

/** Every combination of the levels, named `disk-cache=sql+read-ahead=0`. */
function combinations(factors: readonly Factor[]): Variant[] {
  const [first, ...rest] = factors;
  if (!first) return [];
  const heads = first.levels.map(({ label, settings }) => ({
    name: `${first.name}=${label}`,
    ...settings,
  }));
  if (rest.length === 0) return heads;
  const tails = combinations(rest);
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
    text = readFileSync(path, 'utf8');
  } catch (error) {
    problems.push(
      `--variants ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
    );
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
  return parsed.value;
}

/** Reads what a run's browser and disk are to be like, and the variants to compare. Problems are added, none thrown. */
export function readFactorFlags(raw: RawFactors, problems: Problems): Factors {
  const factors = readFactors(raw, problems);
  const fixed = factors.filter(({ levels }) => levels.length === 1);
  const varied = factors.filter(({ levels }) => levels.length > 1);
  const common: Settings = Object.assign({}, ...fixed.map(({ levels }) => levels[0]?.settings));
  const settings = fixed.length === 0 ? undefined : common;
  if (raw.variants !== undefined) {
    if (varied.length > 0) {
      const flags = varied.map(({ name }) => `--${name}`).join(', ');
      problems.push(
        `--variants and several values of ${flags} exclude each other: write them in the file`,
      );
    }
    return { settings, variants: readVariantsFile(raw.variants, problems) };
  }
  const variants = combinations(varied);
  if (variants.length > mostVariants)
    problems.push(`${variants.length} variants; at most ${mostVariants} fit a sweep`);
  return { settings, variants: variants.length === 0 ? undefined : variants };
}
