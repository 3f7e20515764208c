import type { Page } from '../page/page.ts';
import { type Table, tableOf } from '../page/table.ts';
import { counted, milliseconds, unknownText } from '../quantity.ts';
import type { ExploreRun } from './run.ts';
import type { ExploreSummary, LoadLine } from './summary.ts';

/** An exploration for people: its loads, and where their resources came from. */
export function explorePage({ plan, environment }: ExploreRun, summary: ExploreSummary): Page {
  const { loads, sources, finding } = summary;
  return {
    title: `Explored by hand: ${plan.url}`,
    facts: [
      environment.chromium.version,
      `cache on ${plan.storage === 'none' ? 'ordinary storage' : plan.storage}`,
    ],
    finding,
    sections: [{ tables: [loadTable(loads), sourceTable(sources)] }],
  };
}

interface NumberedLoad {
  load: LoadLine;
  number: number;
}

function loadTable(loads: readonly LoadLine[]): Table {
  return tableOf<NumberedLoad>({
    columns: [
      { key: '#', value: ({ number }) => number, kind: 'name' },
      { key: 'load', value: ({ load }) => short(load.url), kind: 'name' },
      {
        key: 'delay',
        value: ({ load }) => load.delaysMs.map(milliseconds).join(', ') || unknownText,
      },
      { key: 'resources', value: ({ load }) => load.resources },
      { key: 'cached', value: ({ load }) => load.fromCache },
      { key: 'unknown', value: ({ load }) => load.unknown },
      { key: 'load event', value: ({ load }) => load.loadMs, unit: 'ms' },
    ],
    rows: loads.map((load, place) => ({ load, number: place + 1 })),
    group: () => ({ title: counted(loads.length, 'load') }),
    in: ['text'],
  });
}

function sourceTable(sources: ExploreSummary['sources']): Table {
  return tableOf<ExploreSummary['sources'][number]>({
    columns: [
      { key: 'source', value: ({ source }) => source, kind: 'name' },
      { key: 'resources', value: ({ count }) => count },
    ],
    rows: sources,
    group: () => ({ title: 'Sources of all resources' }),
    in: ['text'],
  });
}

/** Characters of a URL that are shown. */
const mostOfUrl = 28;

/** The end of a URL identifies it best. */
function short(url: string): string {
  const plain = url.replace(/^https?:\/\//, '');
  return plain.length <= mostOfUrl ? plain : `…${plain.slice(1 - mostOfUrl)}`;
}
