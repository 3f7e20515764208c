import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { joined, type Merge, mergeOf, sourceOf } from '@cachescope/model/run/merge.ts';
import { type MergeSource, shardRunsOf } from '@cachescope/model/run/shard-run.ts';
import { mergedTraceFile } from '@cachescope/model/run/merged-lines.ts';
import { isRunOf, experiments, type RunDocument } from '@cachescope/model/run/run.ts';
import type { SavedExperiment } from '@cachescope/model/run/experiment.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import { type TracedRead, tracesFolder } from '@cachescope/model/explain/traced-read.ts';
import { Command } from 'commander';
import { builtExtension } from '../browser/extension-build.ts';
import { findChromium } from '../browser/find.ts';
import { CachescopeError } from '../error.ts';
import { LargeSweep, mergedLargeSweep } from '../experiments/sweep/large-sweep.ts';
import { directoriesOf } from '../options/directory-pattern.ts';
import { type Problems, readOut } from '../options/option-reading.ts';
import type { OptionValues } from '../options/option-table.ts';
import { runWithTable } from '../options/table-command.ts';
import { samplesFile, samplesParquet } from '../results/formats/parquet.ts';
import { makeOutputDirectory } from '../results/output-file.ts';
import {
  areLarge,
  readRunDirectory,
  RunDirectory,
  sampleBytesOf,
  streamedFileRules,
} from '../results/run-directory.ts';
import { copyKeptTrace } from '../results/trace-file.ts';
import { removeUnfinished, writtenWhole } from '../results/unfinished-output.ts';
import { writeResults } from '../results/write-results.ts';
import { endWith, say } from '../terminal.ts';
import { showResults } from './show-results.ts';

const examples = `
Examples:
  npm run merge -- results/3f2a09c41b7e_* --out results/merged
  npm run merge -- '/shared/3f2a09c41b7e_*' --out results/merged  its own pattern
  npm run merge -- results/merged results/late --out results/all  merged runs too

Shards may be missing or still running: the result is then partial (exit code 4)
and names them.`;

/** A run to merge, and its directory. */
type Source = MergeSource & { path: string };

/** `cachescope merge`: merges the shards of one plan. */
export function mergeCommand(): Command {
  const command = new Command('merge')
    .summary('merge the shards of one plan into one run')
    .description(
      'Merges shards of one plan, from one machine or many, into one run in which every sample names its machine. ' +
        'Needs no root and measures nothing; the shards stay as they are.',
    )
    .addHelpText('after', examples);
  return runWithTable(command, table, mergeShards);
}

const table = {
  dir: {
    isArgument: true,
    isRequired: true,
    isRepeatable: true,
    value: '<dir>',
    description: 'directories of shards or of merged runs, or patterns of them',
    read: (word: string, _flag: string, problems: Problems) => directoriesOf(word, problems),
  },
  out: {
    isRequired: true,
    value: '<dir>',
    description: 'write the merged run to this new directory',
    read: readOut,
  },
  json: { description: 'print summary.json instead of the tables' },
} as const;

async function mergeShards({ dir, out, json }: OptionValues<typeof table>): Promise<void> {
  await removeUnfinished();
  const paths = dir.flat().map((path) => resolve(path));
  if (sampleBytesOf(paths) > streamedFileRules.mostBytes) throw tooLarge(paths);
  const isLarge = areLarge(paths);
  const sources: Source[] = [];
  for (const path of paths) sources.push(await sourceAt(path, isLarge));
  const merge = mergeOf(sources);
  if ('problems' in merge) throw notMerged(sources, merge.problems);
  endWith(await written(out, merge.value, json));
}

async function sourceAt(path: string, isLarge: boolean): Promise<Source> {
  const document = await readRunDirectory(path, isLarge ? 'none' : 'whole');
  return isLarge && isRunOf('sweep', document)
    ? new LargeSweep(path, document)
    : { path, ...sourceOf(document) };
}

function notMerged(sources: readonly Source[], problems: readonly string[]): CachescopeError {
  const others = sources.filter((source) => shardRunsOf(source).length === 0);
  const named = others.map(({ path }) => `${path} is not a shard of a plan`);
  const list = [...named, ...(named.length > 0 ? [] : problems)];
  return new CachescopeError('CS_NOT_MERGED', list.map((line) => `\n  - ${line}`).join(''), {
    hint: 'Nothing was written. Shards are taken with --plan FILE --shard N/COUNT.',
  });
}

function tooLarge(paths: readonly string[]): CachescopeError {
  const [all, most] = [sampleBytesOf(paths), streamedFileRules.mostBytes].map(byteSize);
  return new CachescopeError(
    'CS_NOT_MERGED',
    `their samples have ${all} and must have at most ${most} together`,
    { hint: "Nothing was written. Ask the shards instead: npm run query -- DIR... 'SQL'" },
  );
}

async function written(out: string, merge: Merge<Source>, asJson: boolean): Promise<number> {
  const { experiment } = merge.shards[0]?.source.run ?? {};
  if (experiment === undefined) throw new Error('nothing to merge');
  const create = () => RunDirectory.create(out, experiments[experiment]);
  const { document, results } = await writtenWhole(out, {}, create, async (directory) => {
    const merged = await writeMerged(directory, merge);
    const tools = {
      extensionDirectory: await builtExtension(),
      chromiumPath: (await findChromium(undefined))?.path ?? null,
    };
    return { document: merged, results: await writeResults(directory, merged, tools) };
  });
  showResults(results, { json: asJson, verbose: false });
  return document.run.status === 'complete' ? 0 : 4;
}

async function writeMerged(directory: RunDirectory, merge: Merge<Source>): Promise<RunDocument> {
  const document = await writeLines(directory, merge);
  copyTraces(directory.path, document, merge);
  // Written last: a directory with run.json is a complete merge.
  await directory.writeRun(document.run);
  return document;
}

/** Writes the lines of a merge; a large one is read while it is written. Returns the document of the merged run. */
async function writeLines(directory: RunDirectory, merge: Merge<Source>): Promise<RunDocument> {
  if (merge.shards.some(({ source }) => source instanceof LargeSweep))
    return mergedLargeSweep(directory, merge);
  const document = joined(merge);
  const saved = experiments[document.run.experiment] as unknown as SavedExperiment<
    RunDocument,
    object,
    object
  >;
  directory.writeLines(saved.itemsOf(document), saved.besideOf(document));
  if (isRunOf('sweep', document)) await directory.write(samplesFile, samplesParquet(document));
  return document;
}

/** Copies Chromium's traces of the traced reads, under the names that the merged run gives them. */
function copyTraces(out: string, document: RunDocument, { shards }: Merge<Source>): void {
  if (!isRunOf('sweep', document)) return;
  const named = new Set((document.traced ?? []).flatMap(({ traceFile }) => traceFile ?? []));
  if (named.size === 0) return;
  makeOutputDirectory(join(out, tracesFolder));
  for (const { run, source, beside } of shards) {
    for (const { traceFile } of beside as TracedRead[]) {
      if (traceFile === undefined) continue;
      const name = mergedTraceFile(traceFile, run.shard);
      const from = join(source.path, tracesFolder, source.run.merged ? name : traceFile);
      if (!named.has(name) || !existsSync(from)) continue;
      const problem = copyKeptTrace(from, join(out, tracesFolder, name));
      if (problem !== null) say(`Warning: ${problem}`);
    }
  }
}
