import { delayOfLoad, type ExploreRunDocument } from '@cachescope/model/explore/run.ts';
import { csvText } from '@cachescope/model/csv.ts';
import { resourceRows, resourceTitles } from '@cachescope/model/load/csv.ts';

/** ISO 8601, or nothing where the text is no time: a saved run is another's file. */
function timeText(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

/**
 * Every resource of every load in one table (RFC 4180): the load's number from 1 in order of start, when it began, the
 * read delay then, and what a load's own CSV says of the resource. An empty cell is not known.
 */
export function exploreCsv({ run, loads }: ExploreRunDocument): string {
  const rows = loads.flatMap((load, index) => {
    const begins = [index + 1, timeText(load.startedAt), delayOfLoad(run, load)];
    return resourceRows(load).map((row) => [...begins, ...row]);
  });
  return csvText(['load', 'loadStartedAt', 'delayMs', ...resourceTitles], rows, '\r\n');
}
