import { csvText } from '@cachescope/model/csv.ts';
import { attributeLoad } from '@cachescope/model/attribution/attributed-resource.ts';
import { momentsOf } from '@cachescope/model/explore/moment.ts';
import type { ExploreRunDocument } from '@cachescope/model/explore/run.ts';
import { resourceRows, resourceTitles } from '@cachescope/model/load/csv.ts';

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
