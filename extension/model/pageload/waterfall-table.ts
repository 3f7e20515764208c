import { type Table, tableOf } from '../page/table.ts';
import { printable } from '../printable.ts';
import { digits, unknownText } from '../quantity.ts';
import { lastMoment, type PageLoad } from './load.ts';
import type { Page } from './page.ts';
import type { PageStatistics } from './statistics.ts';
import { type LoadedResource, loadedResources, nameOf } from './tables.ts';

/** Width of the bars of a waterfall in text, characters, so that a line fits 80 columns. */
const barWidth = 30;

/** The waterfall of the representative load of each cell, in text. */
export function waterfallTable(
  page: Page,
  loads: readonly PageLoad[],
  figures: readonly PageStatistics[],
): Table {
  const shown = figures.flatMap(
    (figure) => loads.find(({ sequence }) => sequence === figure.shown) ?? [],
  );
  const ends = new Map(shown.map((load) => [load, lastMoment(load)]));
  return tableOf<LoadedResource>({
    columns: [
      {
        key: 'name',
        title: 'Resource',
        value: ({ resource }) => printable(resource?.name ?? '').slice(0, 20),
        kind: 'name',
      },
      {
        key: 'source',
        title: 'Source',
        value: ({ row }) => (row.source ?? 'unknown').slice(0, 14),
        kind: 'word',
      },
      { key: 'end_ms', title: 'End, ms', value: ({ row }) => row.endMs },
      {
        key: 'bar',
        title: '- waits, = receives',
        value: ({ row, load }) => waterfallBar(row, ends.get(load) ?? 1),
        kind: 'word',
      },
    ],
    rows: (form) => (form === 'report' ? loadedResources(page, shown) : []),
    group: ({ load }) => ({
      title: `Waterfall: ${nameOf(load)} (0 to ${digits(ends.get(load) ?? null)} ms)`,
    }),
    in: ['report'],
  });
}

/** `-` waits for the first byte, `=` receives. */
export function waterfallBar(
  { startMs, responseStartMs, endMs }: PageLoad['rows'][number],
  toMs: number,
): string {
  if (startMs === null || endMs === null) return unknownText;
  const at = (ms: number) =>
    Math.max(0, Math.min(barWidth - 1, Math.floor((barWidth * ms) / toMs)));
  const [from, first, to] = [at(startMs), at(responseStartMs ?? startMs), at(endMs)];
  return `${' '.repeat(from)}${'-'.repeat(Math.max(0, first - from))}${'='.repeat(Math.max(1, to - Math.max(from, first) + 1))}`;
}
