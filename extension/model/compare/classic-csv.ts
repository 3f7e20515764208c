import type { ComparableGroup, Factors } from './group.ts';
import { recompressed } from '../sweep/recompressed.ts';
import type { NamedText } from '../run/experiment.ts';
import { csvRows } from '../csv.ts';
import type { Parsed } from '../parsed.ts';

const columns = ['Delay_ms', 'Throughput', 'DCB_Read_ms', 'Brotli_Read_ms', 'Gap_ms'];
const offColumn = 'Delay_off_ms';
const recompressedColumn = 'DCB_Recompressed_Read_ms';
/**
 * Optional further columns of a table: the variant or the workload (with its variant), the measured delay where it was
 * off, the recompressed DCB.
 */
const sideColumns = [[], ['Variant'], ['Workload']];
const furtherColumns: readonly (readonly string[])[] = sideColumns.flatMap((names) => [
  names,
  [...names, offColumn],
  [...names, offColumn, recompressedColumn],
]);

/** The columns with a value, and their factors besides delay and variant. */
const valueColumns: readonly (readonly [column: string, factors: Factors])[] = [
  ['Brotli_Read_ms', { arm: 'br' }],
  ['DCB_Read_ms', { arm: 'dcb' }],
  [recompressedColumn, { arm: 'dcb', variant: recompressed.name }],
];

/** Maximum number of lines. A sweep's table has a few lines per delay; a file with more is not such a table. */
const mostLines = 100_000;

/**
 * Reads the classic table of a sweep (`cdt-perf-results-….csv`). It contains one value per cell, its median. The result
 * is groups with a single reading: their difference is known, its significance is not.
 */
export function readClassicCsv({ name, text }: NamedText): Parsed<ComparableGroup[]> {
  const table = csvRows(text.replace(/^\uFEFF/, ''));
  if (!table)
    return { problems: [`${name} has a quote that is not closed, or not around a value`] };
  const [header = [], ...rows] = table;
  const title = header.join(',');
  const more = furtherColumns.find((names) => title === [...columns, ...names].join(','));
  if (!more) {
    return {
      problems: [
        `${name} begins with ${JSON.stringify(title.slice(0, 80))}; a classic table begins with ${columns.join(',')}`,
      ],
    };
  }
  const filled = rows
    .map((cells, index) => ({ cells, place: `${name} line ${index + 2}` }))
    .filter(({ cells }) => cells.join().trim() !== '');
  if (filled.length === 0) return { problems: [`${name} has no row below its header`] };
  if (filled.length > mostLines) {
    return { problems: [`${name} has ${filled.length} lines; at most ${mostLines} are read`] };
  }
  const names = [...columns, ...more];
  const read = filled.map(({ cells, place }) => readRow(cells, place, names));
  const problems = read.flatMap((row) => ('problems' in row ? row.problems : []));
  if (problems.length > 0) return { problems: problems.slice(0, 20) };
  return { value: read.flatMap((row) => ('value' in row ? row.value : [])) };
}

function readRow(
  cells: readonly string[],
  place: string,
  names: readonly string[],
): Parsed<ComparableGroup[]> {
  if (cells.length !== names.length) {
    return { problems: [`${place} has ${cells.length} values; it must have ${names.length}`] };
  }
  const row: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    names.map((name, column) => [name, cells[column]]),
  );
  const { Delay_ms: delayText = '', Variant: variant, Workload: workload } = row;
  // In older tables the delay column marks a delay that was off: `7 (delay off: 9.32)`.
  const [, asked = '', offBeside] =
    /^(\d+(?:\.\d+)?)(?: \(delay off: (\S+)\))?$/.exec(delayText) ?? [];
  const delay = delayText === '0 (control)' ? 'control' : `${asked} ms`;
  const problems: string[] = [];
  if (delay === ' ms') problems.push(`${place}: ${JSON.stringify(delayText)} is not a delay`);
  const off = Number(offBeside ?? (row[offColumn] || Number.NaN));
  const groups = valueColumns.flatMap(([column, { arm = '', ...further }]): ComparableGroup[] => {
    const { [column]: cell = '' } = row;
    if (cell === '') return [];
    const value = Number(cell);
    if (cell.trim() === '' || !Number.isFinite(value) || value < 0) {
      problems.push(
        `${place}: ${column} is ${JSON.stringify(cell)}; a time is a number, 0 or more`,
      );
      return [];
    }
    return [
      {
        // In the order of a sweep's factors.
        factors: {
          delay,
          arm,
          ...(variant !== undefined && { variant }),
          ...further,
          ...(workload !== undefined && { workload }),
        },
        readings: [{ value, launch: null }],
        flagged: 0,
        measuredDelayMs: Number.isFinite(off) ? off : null,
      },
    ];
  });
  return problems.length > 0 ? { problems } : { value: groups };
}
