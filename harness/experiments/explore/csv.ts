import { delayOfLoad, type ExploreRunDocument } from '@cachescope/model/explore-run.ts';
import type { Load } from '@cachescope/model/load.ts';
import { loadCsv } from '@cachescope/model/load-csv.ts';

const lineEnd = '\r\n';

/** ISO 8601, or nothing where the text is no time: a saved run is another's file. */
function timeText(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

/** The line of each resource as a load's own CSV has it. One resource at a time: a quoted cell may hold a line's end. */
function resourceLines(load: Load): { head: string; lines: string[] } {
  const none = loadCsv({ ...load, resources: [] });
  const lines = load.resources.map((resource) =>
    loadCsv({ ...load, resources: [resource] }).slice(none.length),
  );
  return { head: none, lines };
}

/**
 * Every resource of every load in one table (RFC 4180): the load's number from 1 in order of start, when it began, the
 * read delay then, and what a load's own CSV says of the resource. An empty cell is not known.
 */
export function exploreCsv({ run, loads }: ExploreRunDocument): string {
  const parts = loads.map((load, index) => {
    const { head, lines } = resourceLines(load);
    const begins = [index + 1, timeText(load.startedAt), delayOfLoad(run, load) ?? ''].join(',');
    return { head, text: lines.map((line) => `${begins},${line}`).join('') };
  });
  const [first] = parts;
  const head = `load,loadStartedAt,delayMs${first ? `,${first.head}` : lineEnd}`;
  return head + parts.map(({ text }) => text).join('');
}
