import type { ComparableGroup } from './group.ts';
import type { Coding } from '../coding.ts';
import { recompressed } from '../sweep/recompressed.ts';
import type { NamedText } from '../run/experiment.ts';
import type { Parsed } from '../parsed.ts';

const columns = ['Delay_ms', 'Throughput', 'DCB_Read_ms', 'Brotli_Read_ms', 'Gap_ms'];
const offColumn = 'Delay_off_ms';
const recompressedColumn = 'DCB_Recompressed_Read_ms';
/** Optional further columns of a table: the variant, the measured delay where it was off, the recompressed DCB. */
const furtherColumns: readonly (readonly string[])[] = [[], ['Variant']].flatMap((names) => [
  names,
  [...names, offColumn],
  [...names, offColumn, recompressedColumn],
]);

/** Each row has a value for these arms. */
const armColumns: readonly (readonly [arm: Coding, column: number])[] = [
  ['br', 3],
  ['dcb', 2],
];

/** Maximum number of lines. A sweep's table has a few lines per delay; a file with more is not such a table. */
const mostLines = 100_000;

/**
 * Reads the classic table of a sweep (`cdt-perf-results-….csv`). It contains one value per cell, its median. The result
 * is groups with a single reading: their difference is known, its significance is not.
 */
export function readClassicCsv({ name, text }: NamedText): Parsed<ComparableGroup[]> {
  const [header = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const more = furtherColumns.find((names) => header === [...columns, ...names].join(','));
  if (!more) {
    return {
      problems: [
        `${name} begins with ${JSON.stringify(header.slice(0, 80))}; a classic table begins with ${columns.join(',')}`,
      ],
    };
  }
  const rows = lines.map((line, index) => ({ line, place: `${name} line ${index + 2}` }));
  const filled = rows.filter(({ line }) => line.trim() !== '');
  if (filled.length === 0) return { problems: [`${name} has no row below its header`] };
  if (filled.length > mostLines) {
    return { problems: [`${name} has ${filled.length} lines; at most ${mostLines} are read`] };
  }
  const read = filled.map(({ line, place }) => readRow(line.split(','), place, more));
  const problems = read.flatMap((row) => ('problems' in row ? row.problems : []));
  if (problems.length > 0) return { problems: problems.slice(0, 20) };
  return { value: read.flatMap((row) => ('value' in row ? row.value : [])) };
}

function readRow(
  cells: readonly string[],
  place: string,
  more: readonly string[],
): Parsed<ComparableGroup[]> {
  const wanted = columns.length + more.length;
  if (cells.length !== wanted) {
    return { problems: [`${place} has ${cells.length} values; it must have ${wanted}`] };
  }
  const [delayText = ''] = cells;
  // In older tables the delay column marks a delay that was off: `7 (delay off: 9.32)`.
  const [, asked = '', offBeside] =
    /^(\d+(?:\.\d+)?)(?: \(delay off: (\S+)\))?$/.exec(delayText) ?? [];
  const delay = delayText === '0 (control)' ? 'control' : `${asked} ms`;
  const problems: string[] = [];
  if (delay === ' ms') problems.push(`${place}: ${JSON.stringify(delayText)} is not a delay`);
  const variant = more.includes('Variant') ? { variant: cells[columns.length] ?? '' } : {};
  const columnOf = (name: string): number | undefined => {
    const place = more.indexOf(name);
    return place === -1 ? undefined : columns.length + place;
  };
  const off = offBeside ?? cells[columnOf(offColumn) ?? -1];
  const own = armColumns.map(([arm, column]) => ({ factors: { arm, ...variant }, column }));
  const third = columnOf(recompressedColumn);
  const all = [
    ...own,
    ...(third === undefined
      ? []
      : [{ factors: { arm: 'dcb', variant: recompressed.name }, column: third }]),
  ];
  const groups = all.flatMap(({ factors, column }): ComparableGroup[] => {
    const cell = cells[column] ?? '';
    if (cell === '') return [];
    const value = Number(cell);
    if (cell.trim() === '' || !Number.isFinite(value) || value < 0) {
      problems.push(
        `${place}: ${[...columns, ...more][column]} is ${JSON.stringify(cell)}; a time is a number, 0 or more`,
      );
      return [];
    }
    const measuredDelayMs = off === undefined || off === '' ? null : Number(off);
    return [
      {
        factors: { delay, ...factors },
        readings: [{ value, launch: null }],
        flagged: 0,
        measuredDelayMs: Number.isFinite(measuredDelayMs) ? measuredDelayMs : null,
      },
    ];
  });
  return problems.length > 0 ? { problems } : { value: groups };
}
