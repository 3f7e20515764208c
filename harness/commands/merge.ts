import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mergedRun, mergedTraceFile, shardsOf } from '@cachescope/model/run/merge.ts';
import { isRunOf, experiments, type RunDocument } from '@cachescope/model/run/run.ts';
import type { SavedExperiment } from '@cachescope/model/run/experiment.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import { tracesFolder } from '@cachescope/model/explain/traced-read.ts';
import { Command } from 'commander';
import { builtExtension } from '../browser/extension-build.ts';
import { findChromium } from '../browser/find.ts';
import { CachescopeError, usageError } from '../error.ts';
import { directoriesOf } from '../options/directory-pattern.ts';
import { readOut } from '../options/option-reading.ts';
import { samplesFile, samplesParquet } from '../results/formats/parquet.ts';
import { makeOutputDirectory } from '../results/output-file.ts';
import {
  areLarge,
  lightFileRules,
  readRunDirectory,
  RunDirectory,
  sampleBytesOf,
} from '../results/run-directory.ts';
import { sampleSources, type SampleSources, wholeSamples } from '../results/whole-samples.ts';
import { copyKeptTrace } from '../results/trace-file.ts';
import { writeResults } from '../results/write-results.ts';
import { say } from '../terminal.ts';
import { showResults } from './show-results.ts';

const examples = `
Examples:
  npm run merge -- results/3f2a09c41b7e_* --out results/merged
  npm run merge -- '/shared/3f2a09c41b7e_*' --out results/merged  its own pattern
  npm run merge -- results/merged results/late --out results/all  merged runs too

Shards may be missing or still running: the result is then partial (exit code 4)
and names them.`;

interface Read {
  path: string;
  document: RunDocument;
}

/** `cachescope merge`: merges the shards of one plan. */
export function mergeCommand(): Command {
  return new Command('merge')
    .summary('put the shards of one plan together into one run')
    .description(
      'Merges shards of one plan, from one machine or many, into one run in which every sample names its machine. ' +
        'Needs no root and measures nothing; the shards stay as they are.',
    )
    .argument('<dir...>', 'directories of shards or of merged runs, or patterns of them')
    .requiredOption('--out <dir>', 'write the merged run to this new directory')
    .option('--json', 'print summary.json instead of the tables', false)
    .addHelpText('after', examples)
    .action(async (words: string[], flags: { out: string; json: boolean }) => {
      const problems: string[] = [];
      const out = readOut(flags.out, problems) ?? '';
      const paths = words
        .flatMap((word) => directoriesOf(word, problems))
        .map((path) => resolve(path));
      if (problems.length > 0) throw usageError(problems);
      const isLight = areLarge(paths);
      if (sampleBytesOf(paths) > lightFileRules.mostBytes) throw tooLarge(paths);
      const read: Read[] = [];
      for (const path of paths)
        read.push({ path, document: await readRunDirectory(path, isLight) });
      const merged = mergedRun(read.map(({ document }) => document));
      if ('problems' in merged) throw notMerged(read, merged.problems);
      const sources = isLight ? sampleSources(read) : null;
      // Their samples are those of the merged run now.
      if (isLight) for (const each of read) each.document = withoutSamples(each.document);
      process.exitCode = await written(out, merged.value, read, sources, flags.json);
    });
}

function notMerged(read: readonly Read[], problems: readonly string[]): CachescopeError {
  const others = read.filter(({ document }) => shardsOf(document) === null);
  const named = others.map(({ path }) => `${path} is not a shard of a plan`);
  const list = [...named, ...(named.length > 0 ? [] : problems)];
  return new CachescopeError('CS_NOT_MERGED', list.map((line) => `\n  - ${line}`).join(''), {
    hint: 'Nothing was written. Shards are taken with --plan FILE --shard N/COUNT.',
  });
}

function tooLarge(paths: readonly string[]): CachescopeError {
  const [all, most] = [sampleBytesOf(paths), lightFileRules.mostBytes].map(byteSize);
  return new CachescopeError(
    'CS_NOT_MERGED',
    `their samples have ${all} and must have at most ${most} together`,
    { hint: "Nothing was written. Ask the shards instead: npm run query -- DIR... 'SQL'" },
  );
}

function withoutSamples(document: RunDocument): RunDocument {
  return isRunOf('sweep', document) ? { ...document, samples: [] } : document;
}

async function written(
  out: string,
  document: RunDocument,
  read: readonly Read[],
  sources: SampleSources | null,
  asJson: boolean,
): Promise<number> {
  const saved = experiments[document.run.experiment] as unknown as SavedExperiment<
    RunDocument,
    object,
    object
  >;
  const directory = await RunDirectory.create(out, saved);
  const isStreamed = sources !== null && isRunOf('sweep', document);
  const lines = isStreamed ? wholeSamples(document, sources) : saved.itemsOf(document);
  directory.writeLines(lines, saved.besideOf(document));
  copyTraces(out, document, read);
  if (isRunOf('sweep', document)) await directory.write(samplesFile, samplesParquet(document));
  // Written last: a directory with run.json is a complete merge.
  await directory.writeRun(document.run);
  const tools = {
    extensionDirectory: await builtExtension(),
    chromiumPath: (await findChromium(undefined))?.path ?? null,
  };
  showResults(await writeResults(directory, document, tools), asJson);
  return document.run.status === 'complete' ? 0 : 4;
}

/** Copies Chromium's traces of the traced reads, under the names that the merged run gives them. */
function copyTraces(out: string, document: RunDocument, read: readonly Read[]): void {
  if (!isRunOf('sweep', document)) return;
  const named = new Set((document.traced ?? []).flatMap(({ traceFile }) => traceFile ?? []));
  if (named.size === 0) return;
  makeOutputDirectory(join(out, tracesFolder));
  for (const { path, document: source } of read) {
    if (!isRunOf('sweep', source)) continue;
    const { shard } = source.run;
    for (const { traceFile } of source.traced ?? []) {
      if (traceFile === undefined) continue;
      const from = join(path, tracesFolder, traceFile);
      const name = shard ? mergedTraceFile(traceFile, shard) : traceFile;
      if (!named.has(name) || !existsSync(from)) continue;
      const problem = copyKeptTrace(from, join(out, tracesFolder, name));
      if (problem !== null) say(`Warning: ${problem}`);
    }
  }
}
