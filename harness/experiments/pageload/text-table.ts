import type { PageStatistics } from '@cachescope/model/pageload/statistics.ts';
import { pageArmLabels, pageStateLabels } from '@cachescope/model/pageload/load.ts';
import { byteSize, digits, unknownText } from '@cachescope/model/quantity.ts';
import { plainTable } from '../../results/plain-table.ts';

/**
 * One line per cell: load times, resources requested from the origin, bytes sent, and device reads. Fits 80 columns.
 */
export function pageloadTable(figures: readonly PageStatistics[]): string {
  const isSlow = figures.some(({ cell }) => cell.storage !== 'none');
  const arms = new Set(figures.map(({ cell }) => cell.arm));
  const head = [
    ...(isSlow ? ['delay'] : []),
    ...(arms.size > 1 ? ['arm'] : []),
    'load',
    'load ms',
    '95 % interval',
    ...(isSlow ? [] : ['asked']),
    'sent',
    ...(isSlow ? ['read', 'reads'] : []),
  ];
  const rows = figures.map((figure) => [
    ...(isSlow ? [digits(figure.cell.delayMs)] : []),
    ...(arms.size > 1 ? [shortArm[figure.cell.arm]] : []),
    figure.cell.state,
    digits(figure.loadMs),
    rangeText(figure),
    ...(isSlow ? [] : [digits(figure.asked)]),
    byteSize(figure.sentBytes),
    ...(isSlow ? [byteSize(figure.deviceReadBytes), digits(figure.deviceReads)] : []),
  ]);
  return plainTable(head, head.indexOf('load ms'), rows, head.indexOf('load'));
}

const shortArm = { plain: 'plain', dictionary: 'dcb' } as const;

/** The interval of a load time, ms: `98.7..103`; a dash when there are too few loads. */
export function rangeText({ lowMs, highMs }: PageStatistics): string {
  return lowMs === null || highMs === null ? unknownText : `${digits(lowMs)}..${digits(highMs)}`;
}

/** Number of resources by source in each cell's median load. */
export function sourceTable(figures: readonly PageStatistics[]): string {
  const sources = [...new Set(figures.flatMap((each) => each.sources.map(({ source }) => source)))];
  const rows = figures.map(({ cell, sources: own }) => {
    const count = (source: string) => own.find((each) => each.source === source)?.count ?? 0;
    const delay = cell.storage === 'none' ? '' : `${digits(cell.delayMs)} ms, `;
    return [
      `${delay}${pageArmLabels[cell.arm].toLowerCase()}, ${pageStateLabels[cell.state].toLowerCase()}`,
      ...sources.map((source) => digits(count(source))),
    ];
  });
  return plainTable(['load', ...sources], 1, rows);
}
