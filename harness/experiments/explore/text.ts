import { csvText } from '@cachescope/model/csv.ts';
import { attributeLoad } from '@cachescope/model/attribution/attributed-resource.ts';
import { momentsOf } from '@cachescope/model/explore/moment.ts';
import type { ExploreRun, ExploreRunDocument } from '@cachescope/model/explore/run.ts';
import type { ExploreSummary, LoadLine } from '@cachescope/model/explore/summary.ts';
import { resourceRows, resourceTitles } from '@cachescope/model/load/csv.ts';
import { digits, unknownText } from '@cachescope/model/quantity.ts';
import { plainTable } from '../../results/plain-table.ts';
import { wrap } from '../../results/wrap.ts';
import { printable } from '@cachescope/model/printable.ts';

/** URLs are cut to this many characters, so that the table fits 80 columns; the CSV has the full URLs. */
const urlColumns = 28;

/** The text of an exploration, for 80 columns: its loads, the number of resources by source, and the finding. */
export function exploreText(run: ExploreRun, summary: ExploreSummary): string {
  const { plan, environment } = run;
  return [
    `${environment.chromium.version}, cache on ${plan.storage === 'none' ? 'ordinary storage' : plan.storage}, ${run.startedAt.slice(0, 16).replace('T', ' ')} UTC`,
    '',
    ...(summary.loads.length > 0 ? [loadTable(summary.loads), '', sourceTable(summary), ''] : []),
    ...summary.finding.map((sentence) => wrap(sentence, 80)),
    '',
  ].join('\n');
}

function loadTable(loads: readonly LoadLine[]): string {
  const head = ['#', 'load', 'delay ms', 'resources', 'cached', 'unknown', 'load ms'];
  const rows = loads.map((load, index) => [
    `${index + 1}`.padStart(2),
    short(load.url),
    load.delaysMs.map(digits).join(', ') || unknownText,
    `${load.resources}`,
    `${load.fromCache}`,
    `${load.unknown}`,
    digits(load.loadMs),
  ]);
  return plainTable(head, 2, rows);
}

function sourceTable({ sources }: ExploreSummary): string {
  const rows = sources.map(({ source, count }) => [source, `${count}`]);
  return plainTable(['source', 'resources'], 1, rows);
}

/** The end of a URL identifies it best. Control characters of a page's URL must not reach a terminal. */
function short(url: string): string {
  // oxlint-disable-next-line no-control-regex
  const plain = printable(url).replace(/^https?:\/\//, '');
  return plain.length <= urlColumns ? plain : `…${plain.slice(1 - urlColumns)}`;
}

/**
 * Every resource of every load in one table (RFC 4180): the load's number from 1 in order of start, its start time, the
 * conditions while the resource was read, and the columns of a single load's CSV. An empty cell: unknown.
 */
export function exploreCsv(document: ExploreRunDocument): string {
  const momentOf = momentsOf(document);
  const rows = document.loads.flatMap((load, index) => {
    const attributed = attributeLoad(load);
    return resourceRows(load).map((row, at) => {
      const resource = attributed[at]?.resource;
      const moment = resource && momentOf(load, resource);
      const conditions = [moment?.delayMs, moment?.cacheState, moment?.deviceReads];
      const begins = [
        index + 1,
        timeText(load.startedAt),
        ...conditions.map((each) => each ?? null),
      ];
      return [...begins, ...row];
    });
  });
  return csvText([...begin, ...resourceTitles], rows);
}

const begin = ['load', 'load_started_at', 'delay_ms', 'cache_state', 'device_reads'];

/** The time in ISO 8601; empty when the text is not a time, because a saved run may come from elsewhere. */
function timeText(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
