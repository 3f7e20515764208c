import { constants, zstdCompressSync } from 'node:zlib';
import type { RunBase } from '@cachescope/model/run/base.ts';
import { isRunOf } from '@cachescope/model/run/run.ts';
import type { Sample } from '@cachescope/model/run/sample.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import {
  ByteWriter,
  type ColumnSource,
  ParquetWriter,
  schemaFromColumnData,
} from 'hyparquet-writer';
import { CachescopeError, messageOf } from '../../error.ts';
import type { Format } from './format.ts';

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
  // Only in a run merged from shards.
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
  // Empty: the witnesses agree. Otherwise the sample is excluded from the statistics.
  ['flags', 'STRING', ({ flags }) => flags.join(' ')],
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
  render({ document }) {
    if (isRunOf('sweep', document)) return samplesParquet(document);
    throw new CachescopeError('CS_NO_SAMPLES', 'a comparison has no samples of its own', {
      hint: 'Export both of its runs: npm run report -- DIR --format parquet',
    });
  },
};

/**
 * All samples of a sweep in Parquet, zstd.
 *
 * @throws CachescopeError CS_RUN_INVALID: a saved run may come from any source, and have a fractional count or an
 *   invalid time.
 */
export function samplesParquet({ run, samples }: SweepRunDocument): Uint8Array {
  try {
    return new Uint8Array(written(run, samples));
  } catch (error) {
    throw new CachescopeError(
      'CS_RUN_INVALID',
      `a sample has no place in Parquet: ${messageOf(error)}`,
    );
  }
}

/** With a checksum, so that a reader notices a damaged page and shows no false number. */
const zstdOptions = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** Rows of one group: the columns of millions of samples would not fit into memory at once. */
const rowsOfGroup = 100_000;

/** In memory, so that nothing has to be awaited. */
function written(run: RunBase, samples: readonly Sample[]): ArrayBuffer {
  const all = [...columns, ...runColumns(run)];
  const writer = new ByteWriter();
  const codec = 'ZSTD';
  const file = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({ columnData: columnsOf(all, []) }),
    codec,
    compressors: { [codec]: (bytes) => zstdCompressSync(bytes, zstdOptions) },
    kvMetadata: [{ key: 'cachescope.run', value: JSON.stringify(run) }],
    createdBy: 'cachescope, hyparquet-writer',
  });
  for (let from = 0; from < samples.length; from += rowsOfGroup) {
    const columnData = columnsOf(all, samples.slice(from, from + rowsOfGroup));
    void file.write({ columnData, rowGroupSize: rowsOfGroup });
  }
  void file.finish();
  return writer.getBuffer();
}

function columnsOf(all: readonly Column[], samples: readonly Sample[]): ColumnSource[] {
  return all.map(([name, type, of]) => {
    const data = samples.map((sample) => of(sample) ?? null);
    return { name, type, data, nullable: true };
  });
}
