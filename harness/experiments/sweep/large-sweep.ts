import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { TracedRead } from '@cachescope/model/explain/traced-read.ts';
import { histogramFlags } from '@cachescope/model/run/cache-histograms.ts';
import { type LinesTold, runAsRead } from '@cachescope/model/run/experiment.ts';
import type { Merge } from '@cachescope/model/run/merge.ts';
import { mergedHead } from '@cachescope/model/run/merged-head.ts';
import type { MergeSource } from '@cachescope/model/run/shard-run.ts';
import { inOrder } from '@cachescope/model/run/merged-lines.ts';
import { isRunOf, type RunDocument } from '@cachescope/model/run/run.ts';
import type { Sample } from '@cachescope/model/run/sample.ts';
import { SweepReads } from '@cachescope/model/sweep/reads.ts';
import { savedSweep, type SweepRun, type SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { savedSummarySchema } from '@cachescope/model/sweep/saved-summary.ts';
import { summarizeReads } from '@cachescope/model/sweep/summary.ts';
import { foreignLines } from '@cachescope/origin/foreign-file.ts';
import { fileWriter } from 'hyparquet-writer';
import { messageOf } from '../../error.ts';
import { writeOutput } from '../../results/output-file.ts';
import { samplesFile, SamplesParquet } from '../../results/formats/parquet.ts';
import {
  invalidRun,
  readRunDirectory,
  type RunDirectory,
  streamedFileRules,
} from '../../results/run-directory.ts';
import { explanationOf } from '../explain/outputs.ts';

/** A sweep whose samples stay in their file and are read one by one, because they are too many to be held. */
export class LargeSweep implements MergeSource {
  readonly path: string;
  readonly #run: SweepRun;
  readonly beside: readonly TracedRead[];
  /** What is to be said about lines that could not be used; known after they were read. */
  told: LinesTold = { warnings: [], cutFile: null };

  /** `document`: without its samples. */
  constructor(path: string, { run, traced = [] }: SweepRunDocument) {
    this.path = path;
    this.#run = run;
    this.beside = traced;
  }

  /** With what its lines show, once they were read. */
  get run(): SweepRun {
    return runAsRead(this.#run, this.told);
  }

  /**
   * The samples, read again at each iteration.
   *
   * @throws CachescopeError CS_RUN_INVALID when no line can be used, or they are not in the order of their sequence.
   */
  get lines(): Iterable<Sample> {
    return { [Symbol.iterator]: () => this.#read() };
  }

  *#read(): Generator<Sample> {
    const name = savedSweep.lineFile;
    const lines = foreignLines(join(this.path, name), streamedFileRules);
    const flagged = histogramFlags(this.run.histograms);
    let last = Number.NEGATIVE_INFINITY;
    const tell = (told: LinesTold) => {
      this.told = told;
    };
    try {
      for (const sample of savedSweep.eachItem(this.run, { name, lines }, tell)) {
        const { sequence } = sample;
        if (sequence < last)
          throw new Error(
            `${name}: sample ${sequence} follows sample ${last}; so many samples must be in the order of their sequence`,
          );
        last = sequence;
        yield flagged(sample);
      }
    } catch (error) {
      throw invalidRun(this.path, [messageOf(error)]);
    }
    if (last === Number.NEGATIVE_INFINITY && this.told.warnings.length > 0)
      throw invalidRun(this.path, this.told.warnings);
  }
}

/**
 * Reads a run with too many samples to hold: a sweep's document has its results in their place.
 *
 * @throws CachescopeError CS_RUN_INVALID
 */
export async function readLargeRun(path: string): Promise<RunDocument> {
  const document = await readRunDirectory(path, 'none');
  if (!isRunOf('sweep', document)) return document;
  collectGarbageEarly();
  const sweep = new LargeSweep(path, document);
  const reads = new SweepReads();
  for (const sample of sweep.lines) reads.add(sample);
  return documentOf(sweep.run, reads, sweep.beside);
}

/** Writes the samples of a merge to a directory, as lines and as Parquet, while they are read from their files. */
export function mergedLargeSweep(
  directory: RunDirectory,
  { shards, parts, beside }: Merge,
): SweepRunDocument {
  collectGarbageEarly();
  const head = mergedHead(shards);
  const reads = new SweepReads();
  const parquetPath = join(directory.path, samplesFile);
  // Made here, so that only its owner can read it.
  writeOutput(parquetPath, '');
  const parquet = new SamplesParquet(fileWriter(parquetPath), head);
  let count = 0;
  function* samples() {
    for (const line of inOrder(parts)) {
      const sample = line as Sample;
      count++;
      reads.add(sample);
      parquet.add(sample);
      yield sample;
    }
  }
  directory.writeLines(samples(), beside);
  // What is wrong with their lines is known now.
  const run = mergedHead(
    shards.map(({ run: own, source }) => ({
      run: source.run.merged ? own : { ...source.run, shard: own.shard },
      source,
    })),
    count,
  ) as SweepRun;
  parquet.finish(run);
  return documentOf(run, reads, beside as TracedRead[]);
}

/** When a fifth more memory is used: V8 waits longer, and a summary then takes a quarter more memory. */
function collectGarbageEarly(): void {
  setFlagsFromString('--heap-growing-percent=20');
}

/** The document of a sweep with its results in place of the samples. */
export function documentOf(
  run: SweepRun,
  reads: SweepReads,
  traced: readonly TracedRead[],
): SweepRunDocument {
  const summary = summarizeReads(run, reads);
  const explanation = explanationOf(run, summary, reads, traced);
  return {
    run,
    samples: [],
    ...(traced.length > 0 && { traced: [...traced] }),
    summary: savedSummarySchema.parse({ ...summary, ...(explanation && { explanation }) }),
  };
}
