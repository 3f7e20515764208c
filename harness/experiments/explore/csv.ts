import { delayOfLoad, type ExploreRunDocument } from '@cachescope/model/explore/run.ts';
import { csvText } from '@cachescope/model/csv.ts';
import { resourceRows, resourceTitles } from '@cachescope/model/load/csv.ts';

/** The time in ISO 8601; empty when the text is not a time, because a saved run may come from elsewhere. */
function timeText(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

/**
 * Every resource of every load in one table (RFC 4180): the load's number from 1 in order of start, its start time, the
 * read delay at that time, and the columns of a single load's CSV. An empty cell: unknown.
 */
export function exploreCsv({ run, loads }: ExploreRunDocument): string {
  const rows = loads.flatMap((load, index) => {
    const begins = [index + 1, timeText(load.startedAt), delayOfLoad(run, load)];
    return resourceRows(load).map((row) => [...begins, ...row]);
  });
  return csvText(['load', 'loadStartedAt', 'delayMs', ...resourceTitles], rows, '\r\n');
}
