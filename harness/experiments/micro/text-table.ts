import type { MicroStatistics } from '@cachescope/model/micro/statistics.ts';
import { microPivot } from '@cachescope/model/micro/pivot.ts';
import type { MicroPart } from '@cachescope/model/micro/slice.ts';
import type { MicroSummary } from '@cachescope/model/micro/summary.ts';
import { digits, unknownText } from '@cachescope/model/quantity.ts';
import { plainTable } from '../../results/plain-table.ts';

/** A median for a table; a value below the clock's resolution is shown as an upper bound. */
export function medianText(figure: MicroStatistics | undefined): string {
  if (!figure || figure.medianMs === null) return unknownText;
  return figure.belowResolution ? `<${digits(2 * figure.resolutionMs)}` : digits(figure.medianMs);
}

/**
 * The medians of one part, ms: by cache and row, over sizes or numbers of entries. Fits 80 columns with five levels.
 */
export function microTable(part: Exclude<MicroPart, 'crossover'>, summary: MicroSummary): string {
  const { head, levels, rows } = microPivot(part, summary.figures);
  const cells = rows.map(({ names, figures }) => [...names, ...figures.map(medianText)]);
  return plainTable([...head, ...levels], head.length, cells, 1);
}
