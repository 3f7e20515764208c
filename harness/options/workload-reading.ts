import { accessSync, constants, statSync } from 'node:fs';
import { workloadProblem } from '@cachescope/origin/workloads/catalog.ts';
import type { Problems } from './option-reading.ts';

/** The words of a command line that say which bytes to read. */
export interface RawWorkloads {
  /** `--workload`: names, with commas between them. */
  workload?: string | undefined;
  /** `--sizes`: of synthetic workloads; `none` of a command that has some by itself. */
  sizes?: string | undefined;
  dictionary?: string | undefined;
  resource?: string | undefined;
}

/** A workload by its name, or the paths of the user's own pair. */
export type WorkloadChoice = { name: string } | { dictionary: string; resource: string };

/** The workload of a command line that names none. */
export const defaultWorkload = 'pdfjs';

function checkFile(flag: string, path: string, problems: Problems): void {
  try {
    accessSync(path, constants.R_OK);
    const stat = statSync(path);
    if (!stat.isFile()) problems.push(`${flag} ${path} is no file`);
    else if (stat.size === 0) problems.push(`${flag} ${path} is empty; a workload needs bytes`);
  } catch (error) {
    problems.push(`${flag} ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function ownPair({ dictionary, resource, workload }: RawWorkloads, problems: Problems) {
  if (workload !== undefined)
    problems.push('--workload and --dictionary/--resource exclude each other');
  if (dictionary === undefined)
    problems.push('--resource needs --dictionary, the older version of the same file');
  else checkFile('--dictionary', dictionary, problems);
  if (resource === undefined)
    problems.push('--dictionary needs --resource, the newer version of the same file');
  else checkFile('--resource', resource, problems);
  return { dictionary: dictionary ?? '', resource: resource ?? '' };
}

function items(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',').map((item) => item.trim());
}

/** Names that cannot be had join the problems. */
function checkNames(flag: string, names: readonly string[], problems: Problems): void {
  for (const name of names) {
    const problem = workloadProblem(name);
    if (problem !== null) problems.push(`${flag} ${JSON.stringify(name)} ${problem}`);
  }
}

/**
 * The workloads of a command line, at least one: those that `--workload` names or the user's own pair, then those of
 * `--sizes`. What is wrong with the words is added to `problems`.
 */
export function readWorkloads(raw: RawWorkloads, problems: Problems): WorkloadChoice[] {
  const sized = raw.sizes === 'none' ? [] : items(raw.sizes);
  const sizes = sized.map((size) => `synthetic:${size}`);
  checkNames('--sizes', sizes, problems);
  if (raw.dictionary !== undefined || raw.resource !== undefined)
    return [ownPair(raw, problems), ...sizes.map((name) => ({ name }))];
  const named = items(raw.workload);
  checkNames('--workload', named, problems);
  const names = [...named, ...sizes];
  if (new Set(names).size < names.length)
    problems.push(`--workload and --sizes name ${names.join(', ')}: one of them twice`);
  return (names.length === 0 ? [defaultWorkload] : names).map((name) => ({ name }));
}
