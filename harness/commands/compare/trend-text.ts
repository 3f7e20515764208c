import { startText, trendSentences } from '@cachescope/model/compare/run-history.ts';
import type { Trend } from '@cachescope/model/compare/trend.ts';
import { digits } from '@cachescope/model/quantity.ts';
import { plainTable } from '../../results/plain-table.ts';
import { wrap } from '../../results/wrap.ts';

const width = 80;
/** This many columns fit beside the names of the cells. */
const columns = 4;

/** A trend on stdout: the medians of its last runs, and where they changed. */
export function trendLines(trend: Trend): string[] {
  const { baseline, runs, cells } = trend;
  const shown = runs.slice(-columns);
  const starts = shown.map(({ startedAt }) => startText(startedAt).slice(5));
  const rows = cells.map(({ place, medians }) => [place, ...medians.slice(-columns).map(digits)]);
  return [
    '',
    wrap(
      `Trend of ${baseline}: the last ${shown.length} of ${runs.length} runs, medians; the compared run is the last (UTC)`,
      width,
    ),
    '',
    plainTable(['cell', ...starts], 1, rows).replaceAll(/ +$/gm, ''),
    '',
    ...trendSentences(trend).map((sentence) => wrap(sentence, width)),
  ];
}
