import {
  benchmarkColumns,
  publishedFor,
  type PublishedRow,
} from '@cachescope/model/fill/benchmark-table.ts';
import { comparisonSentences } from '@cachescope/model/fill/comparison.ts';
import type { FillRun } from '@cachescope/model/fill/run.ts';
import type { FillSuiteSummary, FillSummary } from '@cachescope/model/fill/summary.ts';
import { byteSize, counted, milliseconds } from '@cachescope/model/quantity.ts';
import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { plainTable } from '../../results/plain-table.ts';
import { wrap } from '../../results/wrap.ts';

const wrapped = (sentence: string) => wrap(sentence, 80);

/** The results of a run of concurrent fills, for 80 columns. `published` adds the rows that the benchmark published. */
export function fillText(run: FillRun, summary: FillSummary, published: boolean): string {
  const { plan } = run;
  const notes = [
    'requests: those of the readers; origin: requests that reached the origin; byte wait: average wait for a byte; TTFB: mean time to the first byte; hit rate: share of requests that did not reach the origin.',
    ...run.unavailable.map(({ what, why }) => `Not run: ${what}: ${why}.`),
    ...foldedWarnings(summary.warnings).map((warning) => `Note: ${warning}`),
  ];
  const verdicts = summary.suites.flatMap(({ title, comparisons }) =>
    comparisons.length === 0
      ? []
      : [title, ...comparisonSentences(comparisons).map((sentence) => `- ${sentence}`)],
  );
  const answers = summary.answers.flatMap(({ sentences }) => sentences.map((each) => `- ${each}`));
  return [
    `${plan.workers} readers, files of ${byteSize(plan.fileBytes)}, ${plan.timeMs / 1000} s a trial, ${counted(plan.rounds, 'round')}; ${run.nginx.own ?? 'no nginx'}`,
    '',
    ...summary.suites.flatMap((suite) => suiteText(suite, published)),
    ...notes.map(wrapped),
    '',
    ...summary.finding.map(wrapped),
    '',
    ...section('Verdicts', verdicts),
    ...section("How Chromium's cache shares a response that is arriving", answers),
  ].join('\n');
}

function section(title: string, sentences: readonly string[]): string[] {
  return sentences.length === 0 ? [] : [title, ...sentences.map(wrapped), ''];
}

function suiteText(summary: FillSuiteSummary, published: boolean): string[] {
  const { suite, title, rows, idealByteWaitMs: ideal } = summary;
  const told =
    ideal > 0 ? `; bytes are sent ${milliseconds(ideal)} after the start on average` : '';
  const history = published ? publishedFor(suite.name) : [];
  const context = ['', 'Published by the nginx tempfiles benchmark, on another machine:'];
  return [
    `${title}${told}`,
    table(rows),
    ...(history.length === 0 ? [] : [...context, table(history)]),
    '',
  ];
}

/** The columns of the nginx tempfiles benchmark, 80 columns. */
function table(rows: readonly Pick<PublishedRow, 'system' | 'measures'>[]): string {
  const columns = benchmarkColumns.filter(({ brief }) => brief !== undefined);
  return plainTable(
    ['', ...columns.map(({ brief = '' }) => brief)],
    1,
    rows.map(({ system, measures }) => [system, ...columns.map(({ text }) => text(measures))]),
  );
}
