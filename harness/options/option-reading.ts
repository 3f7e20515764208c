import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Parsed } from '@cachescope/model/parsed.ts';
import { isThere } from '../results/output-file.ts';
import { directoryProblem } from '../storage/disk-places.ts';

/** Collects the problems of an input, so that all can be reported at once. */
export type Problems = string[];

/** The typed texts of some options; absent or undefined: not typed. */
export type TextsOf<Name extends string> = Readonly<Partial<Record<Name, string | undefined>>>;

/** A whole number from `min` to `max`; NaN, and a problem, when the text is not one. */
export function readInteger(
  name: string,
  text: string,
  min: number,
  max: number,
  problems: Problems,
): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  problems.push(
    `${name} is ${JSON.stringify(text)}; it must be a whole number from ${min} to ${max}`,
  );
  return Number.NaN;
}

/** Parses an option that is a whole number from `min` to `max`. */
export function integerFrom(min: number, max: number) {
  return (text: string, flag: string, problems: Problems): number =>
    readInteger(flag, text, min, max, problems);
}

/** Parses an option that the model parses: its value, or none and the problems. */
export function parsedBy<Value>(parse: (text: string) => Parsed<Value>) {
  return (text: string, _flag: string, problems: Problems): Value[] => {
    const parsed = parse(text);
    if ('value' in parsed) return [parsed.value];
    problems.push(...parsed.problems);
    return [];
  };
}

/** A number with at most three decimal digits, from `min` to `max`; NaN, and a problem, when the text is not one. */
export function readNumber(
  name: string,
  text: string,
  [min, max]: readonly [number, number],
  unit: string,
  problems: Problems,
): number {
  const value = /^\d+(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const rule = `a number of ${unit} from ${min} to ${max}, with at most three digits behind the point`;
  problems.push(`${name} is ${JSON.stringify(text)}; it must be ${rule}`);
  return Number.NaN;
}

/** The nearest existing parent directory must be writable: not a file, and not /proc. */
function checkPlace(flag: string, path: string, problems: Problems): void {
  let parent = dirname(path);
  while (!existsSync(parent)) parent = dirname(parent);
  const problem = directoryProblem(parent);
  if (problem !== null) problems.push(`${flag} ${path}: ${problem}`);
}

/** A directory to write to; it need not exist. */
export function readPlace(text: string, flag: string, problems: Problems): string {
  const path = resolve(text);
  checkPlace(flag, path, problems);
  return path;
}

/** Directory of a run: a new one that can be created. */
export function readOut(text: string, flag: string, problems: Problems): string {
  const path = readPlace(text, flag, problems);
  requireNewOut(path, problems);
  return path;
}

/** An existing run is never overwritten. */
export function requireNewOut(path: string, problems: Problems): void {
  if (isThere(path))
    problems.push(`--out ${path} exists; a run is written to a new directory only`);
}

/** A new file in an existing directory. */
export function readNewFile(text: string, flag: string, problems: Problems): string {
  const path = resolve(text);
  if (isThere(path)) problems.push(`${flag} ${path} exists; no file is written over another`);
  else if (!existsSync(dirname(path)))
    problems.push(`${flag} ${path}: ${dirname(path)} is not there`);
  else checkPlace(flag, path, problems);
  return path;
}

/** A browser window needs a display; `hint` says what to do without one. */
export function checkDisplay(flag: string, hint: string, problems: Problems): void {
  if (process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']) return;
  problems.push(`${flag} needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set${hint}`);
}
