import { constants, zstdCompressSync } from 'node:zlib';
import type { RunBase } from '@cachescope/model/run/base.ts';
import { type Line, placed } from '@cachescope/model/run/merged-lines.ts';
import { isRunOf } from '@cachescope/model/run/run.ts';
import type { Sample } from '@cachescope/model/run/sample.ts';
import type { Shard } from '@cachescope/model/run/shard.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import {
  ByteWriter,
  type ColumnSource,
  ParquetWriter,
  schemaFromColumnData,
  type Writer,
} from 'hyparquet-writer';
import { CachescopeError, messageOf } from '../../error.ts';
import { type Format, withoutGroups } from './measurements.ts';

/** Name of the file that `merge` writes and `query` reads. */
export const samplesFile = 'samples.parquet';

const sqlTypes = {
  BOOLEAN: 'BOOLEAN',
  INT32: 'INTEGER',
  INT64: 'BIGINT',
  DOUBLE: 'DOUBLE',
  STRING: 'VARCHAR',
  TIMESTAMP: 'TIMESTAMP',
} as const;

/** A column: its name in SQL, its type, and its value for a sample. null: unknown, or absent in this run. */
type Column = readonly [
  name: string,
  type: keyof typeof sqlTypes,
  of: (sample: Sample) => string | number | boolean | bigint | Date | null | undefined,
];

const columns: readonly Column[] = [
  ['sequence', 'INT32', ({ sequence }) => sequence],
  ['kind', 'STRING', ({ kind }) => kind],
  ['arm', 'STRING', ({ cell }) => cell.arm],
  ['storage', 'STRING', ({ cell }) => cell.storage],
  ['delay_ms', 'DOUBLE', ({ cell }) => cell.delayMs],
  ['profile', 'STRING', ({ cell }) => cell.profile],
  ['variant', 'STRING', ({ cell }) => cell.variant],
  ['workload', 'STRING', ({ cell }) => cell.workload],
  ['launch', 'INT32', ({ launch }) => launch],
  // Only in a shard, and in a run merged from shards.
  ['machine', 'STRING', ({ machine }) => machine],
  ['pass', 'INT32', ({ pass }) => pass],
  ['attempt', 'INT32', ({ attempt }) => attempt],
  ['taken_at', 'TIMESTAMP', ({ takenAt }) => new Date(takenAt)],
  ['read_ms', 'DOUBLE', ({ readMs }) => readMs],
  ['source', 'STRING', ({ attribution }) => attribution.source],
  ['confidence', 'STRING', ({ attribution }) => attribution.confidence],
  ['origin_requests', 'INT32', ({ originRequests }) => originRequests],
  ['device_reads', 'INT32', ({ device }) => device?.reads],
  ['device_read_bytes', 'INT64', ({ device }) => device && BigInt(device.readBytes)],
  ['device_shared', 'BOOLEAN', ({ device }) => device && (device.shared ?? false)],
  ['body_bytes', 'INT64', ({ bodyBytes }) => BigInt(bodyBytes)],
  ['body_sha256', 'STRING', ({ bodySha256 }) => bodySha256 || null],
  // Empty: the witnesses agree. Otherwise the sample is excluded from the statistics. pandas hides a column named flags.
  ['sample_flags', 'STRING', ({ flags }) => flags.join(' ')],
];

/** The columns of a file with their types in DuckDB. */
export const sampleColumns: Readonly<Record<string, string>> = Object.fromEntries([
  ...columns.map(([name, type]) => [name, sqlTypes[type]]),
  ['run_started_at', sqlTypes.TIMESTAMP],
  ['chromium', sqlTypes.STRING],
]);

/** The columns that distinguish runs where many are read together. */
const runColumns = (run: RunBase): readonly Column[] => [
  ['run_started_at', 'TIMESTAMP', () => new Date(run.startedAt)],
  ['chromium', 'STRING', () => run.environment.chromium.version],
];

/** Apache Parquet: a row for each sample, flagged ones included, and run.json in the file's metadata. */
export const parquet: Format = {
  readers: 'DuckDB, pandas, ClickHouse, BigQuery',
  hasSamples: true,
  render(document) {
    if (isRunOf('sweep', document)) return samplesParquet(document);
    if (!isRunOf('comparison', document)) throw withoutGroups(document);
    throw new CachescopeError('CS_NO_SAMPLES', 'a comparison has no samples of its own', {
      hint: 'Export both of its runs: npm run --silent report -- DIR --format parquet > FILE',
    });
  },
};

/**
 * All samples of a sweep in Parquet, zstd.
 *
 * @throws the error of `SamplesParquet`.
 */
export function samplesParquet({ run, samples }: SweepRunDocument): Uint8Array {
  const writer = new ByteWriter();
  const file = new SamplesParquet(writer, run);
  for (const sample of samples) file.add(sample);
  file.finish(run);
  return new Uint8Array(writer.getBuffer());
}

/** With a checksum, so that a reader notices a damaged page and shows no false number. */
const zstdOptions = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

const codec = 'ZSTD';

/** Rows of one group: the columns of millions of samples would not fit into memory at once. */
const rowsOfGroup = 100_000;

/** A column with its values of one group. */
interface Filled extends ColumnSource {
  of: Column[2];
  data: unknown[];
}

/**
 * A Parquet file of samples that are added one by one. Those of a shard have their machine, and the numbers that they
 * have in the merged run, so that files of several shards can be read together.
 *
 * @throws CachescopeError CS_RUN_INVALID: a saved run may come from any source, and have a fractional count or an
 *   invalid time.
 */
export class SamplesParquet {
  readonly #columns: readonly Column[];
  readonly #file: ParquetWriter;
  readonly #shard: Shard | undefined;
  #rows: Filled[];
  #length = 0;

  constructor(writer: Writer, run: RunBase) {
    this.#columns = [...columns, ...runColumns(run)];
    this.#shard = run.shard;
    this.#rows = this.#emptyRows();
    this.#file = new ParquetWriter({
      writer,
      schema: schemaFromColumnData({ columnData: this.#rows }),
      codec,
      compressors: { [codec]: (bytes) => zstdCompressSync(bytes, zstdOptions) },
      createdBy: 'cachescope, hyparquet-writer',
    });
  }

  add(sample: Sample): void {
    const row = this.#shard ? (placed(sample as Line, this.#shard) as Sample) : sample;
    try {
      for (const { of, data } of this.#rows) data.push(of(row) ?? null);
      if (++this.#length === rowsOfGroup) this.#writeGroup();
    } catch (error) {
      throw withoutPlace(error);
    }
  }

  /** Ends the file, with run.json in its metadata. */
  finish(run: RunBase): void {
    try {
      this.#writeGroup();
    } catch (error) {
      throw withoutPlace(error);
    }
    this.#file.kvMetadata = [{ key: 'cachescope.run', value: JSON.stringify(run) }];
    void this.#file.finish();
  }

  #writeGroup(): void {
    const group = { columnData: this.#rows, rowGroupSize: rowsOfGroup };
    // Nothing has to be awaited: the writers write at once.
    if (this.#length > 0) void this.#file.write(group);
    this.#rows = this.#emptyRows();
    this.#length = 0;
  }

  #emptyRows(): Filled[] {
    return this.#columns.map(([name, type, of]) => ({ name, type, of, data: [], nullable: true }));
  }
}

function withoutPlace(error: unknown): CachescopeError {
  return new CachescopeError(
    'CS_RUN_INVALID',
    `a sample has no place in Parquet: ${messageOf(error)}`,
  );
}
