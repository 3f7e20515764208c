import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type StorageKind, storageKinds } from '@cachescope/model/sample.ts';
import { type EnvironmentRule, environmentRules } from '../environment/environment-rule.ts';

/** Collects what is wrong with an input, so that all of it can be told at once. */
export type Problems = string[];

/** A whole number from `min` to `max`; NaN, and a problem, when the text is none. */
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

/** A number with at most three digits behind the point, from `min` to `max`; NaN, and a problem, when the text is none. */
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

/** `3%` -> 0.03; NaN, and a problem, when the text is no percentage from `min` to `max`. */
export function readPercentage(
  name: string,
  text: string,
  [min, max]: readonly [number, number],
  problems: Problems,
): number {
  const [, digits = ''] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  const value = digits === '' ? Number.NaN : Number(digits);
  if (value >= min && value <= max) return value / 100;
  problems.push(
    `${name} is ${JSON.stringify(text)}; it must be a percentage from ${min}% to ${max}%, as 3%`,
  );
  return Number.NaN;
}

const timeUnits = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `90s`, `10m`, `2h` -> ms; NaN, and a problem, when the text is no such time. */
export function readTime(name: string, text: string, problems: Problems): number {
  const [, digits = '', unit = ''] = /^(\d+)([smh])$/.exec(text) ?? [];
  const ms = Number(digits) * (timeUnits[unit as keyof typeof timeUnits] ?? Number.NaN);
  if (ms > 0) return ms;
  problems.push(
    `${name} is ${JSON.stringify(text)}; it must be a time above 0 with its unit: 90s, 10m or 2h`,
  );
  return Number.NaN;
}

/** `--env`: what becomes of a run on a machine that is not fit for one. */
export function readEnvironmentRule(text: string, problems: Problems): EnvironmentRule {
  const rule = environmentRules.find((known) => known === text);
  if (rule) return rule;
  problems.push(`--env is ${JSON.stringify(text)}; known are ${environmentRules.join(', ')}`);
  return 'warn';
}

/** A kind of storage, or `auto`. */
export function readStorage(text: string, problems: Problems): 'auto' | StorageKind {
  const known = ['auto', ...storageKinds] as const;
  const storage = known.find((kind) => kind === text);
  if (storage) return storage;
  problems.push(`--storage is ${JSON.stringify(text)}; known are ${known.join(', ')}`);
  return 'auto';
}

/** The nearest folder above that exists must be one that we may write to: not a file, and not /proc. */
function checkOut(path: string, problems: Problems): void {
  let parent = dirname(path);
  while (!existsSync(parent)) parent = dirname(parent);
  try {
    accessSync(parent, constants.W_OK);
    if (!statSync(parent).isDirectory()) problems.push(`--out ${path}: ${parent} is no directory`);
    else if (/^\/(proc|sys)(\/|$)/.test(parent))
      problems.push(`--out ${path}: no run can be kept in ${parent}`);
  } catch {
    problems.push(`--out ${path}: ${parent} is not writable`);
  }
}

/** Where a run is to go: a new directory that can be made. undefined when the user names none. */
export function readOut(out: string | undefined, problems: Problems): string | undefined {
  if (out === undefined) return undefined;
  const path = resolve(out);
  checkOut(path, problems);
  if (existsSync(path))
    problems.push(`--out ${path} exists; a run is written to a new directory only`);
  return path;
}

/** A browser window needs a display; `hint` says what to do without one. */
export function checkDisplay(flag: string, hint: string, problems: Problems): void {
  if (process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']) return;
  problems.push(`${flag} needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set${hint}`);
}
