import { byteSize } from '@cachescope/model/quantity.ts';
import { workloadProblem } from '@cachescope/origin/workloads/catalog.ts';
import { parseSyntheticName } from '@cachescope/origin/workloads/synthetic.ts';
import { accessSync, constants, statSync } from 'node:fs';
import { commaSeparated } from './name-reading.ts';
import type { Problems, TextsOf } from './option-reading.ts';

/** The options that select the workloads; `none` for `--sizes` where a command has some by default. */
type RawWorkloads = TextsOf<'workload' | 'sizes' | 'dictionary' | 'resource'>;

/** A workload by its name, or the paths of the user's own dictionary and resource. */
export type WorkloadChoice = { name: string } | { dictionary: string; resource: string };

/** The workload when the command line names none. */
export const defaultWorkload = 'pdfjs';

/** Synthetic workloads are held in memory, in two versions and in every coding: at most this much together, bytes. */
const mostSyntheticBytes = 200 * 1024 ** 2;

function checkFile(flag: string, path: string, problems: Problems): void {
  try {
    accessSync(path, constants.R_OK);
    const stat = statSync(path);
    if (!stat.isFile()) problems.push(`${flag} ${path} is not a file`);
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

/** Adds a problem for each name that is not available. */
function checkNames(flag: string, names: readonly string[], problems: Problems): void {
  for (const name of names) {
    const problem = workloadProblem(name);
    if (problem !== null) problems.push(`${flag} ${JSON.stringify(name)} ${problem}`);
  }
}

/**
 * The workloads of a command line, at least one: those named by `--workload` or the user's own pair, then those of
 * `--sizes`. Problems are added to `problems`.
 */
export function readWorkloads(raw: RawWorkloads, problems: Problems): WorkloadChoice[] {
  const items = (text: string | undefined) => (text === undefined ? [] : commaSeparated(text));
  const sized = items(raw.sizes === 'none' ? undefined : raw.sizes);
  const sizes = sized.map((size) => `synthetic:${size}`);
  checkNames('--sizes', sizes, problems);
  if (raw.dictionary !== undefined || raw.resource !== undefined)
    return [ownPair(raw, problems), ...sizes.map((name) => ({ name }))];
  const named = items(raw.workload);
  checkNames('--workload', named, problems);
  const names = [...named, ...sizes];
  if (new Set(names).size < names.length)
    problems.push(`--workload and --sizes name ${names.join(', ')}: one of them twice`);
  const bytes = names.reduce((sum, name) => sum + (parseSyntheticName(name) ?? 0), 0);
  if (bytes > mostSyntheticBytes)
    problems.push(
      `--workload and --sizes have ${byteSize(bytes)} together; at most ${byteSize(mostSyntheticBytes)}`,
    );
  return (names.length === 0 ? [defaultWorkload] : names).map((name) => ({ name }));
}
