import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { comparisonSentences } from '@cachescope/model/fill/comparison.ts';
import type { FillRun } from '@cachescope/model/fill/run.ts';
import type { FillSuiteSummary } from '@cachescope/model/fill/suite-summary.ts';
import type { FillSummary } from '@cachescope/model/fill/summary.ts';
import { byteSize, milliseconds } from '@cachescope/model/quantity.ts';
import { publishedTable, suiteTable } from './text-table.ts';
import { wrap } from '../../results/wrap.ts';

const width = 80;

/** The results of a run of concurrent fills, for 80 columns. `published` adds the rows that the benchmark published. */
export function fillText(run: FillRun, summary: FillSummary, published: boolean): string {
  const { plan } = run;
  const notes = [
    'asked: requests of the readers; origin: requests that reached the origin; byte wait: average wait for a byte; 1st byte: mean time to the first byte; hit rate: share of requests that did not reach the origin.',
    ...run.unavailable.map(({ what, why }) => `Not run: ${what}: ${why}.`),
    ...foldedWarnings(summary.warnings).map((warning) => `Note: ${warning}`),
  ];
  return [
    `${plan.workers} readers, files of ${byteSize(plan.fileBytes)}, ${plan.timeMs / 1000} s a trial, ${rounds(plan.rounds)}; ${run.nginx.own ?? 'no nginx'}`,
    '',
    ...summary.suites.flatMap((suite) => suiteText(suite, published)),
    ...notes.map((note) => wrap(note, width)),
    '',
    ...summary.finding.map((sentence) => wrap(sentence, width)),
    '',
    ...verdicts(summary),
    ...answers(summary),
  ].join('\n');
}

function rounds(count: number): string {
  return count === 1 ? '1 round' : `${count} rounds`;
}

function suiteText(suite: FillSuiteSummary, published: boolean): string[] {
  const ideal = suite.idealByteWaitMs;
  const told =
    ideal > 0 ? `; bytes are sent ${milliseconds(ideal)} after the start on average` : '';
  const history = published ? publishedTable(suite) : null;
  return [
    `${suite.title}${told}`,
    suiteTable(suite),
    ...(history === null
      ? []
      : ['', 'Published by the nginx tempfiles benchmark, on another machine:', history]),
    '',
  ];
}

function verdicts({ suites }: FillSummary): string[] {
  const sentences = suites.flatMap(({ title, comparisons }) =>
    comparisons.length === 0
      ? []
      : [title, ...comparisonSentences(comparisons).map((sentence) => `- ${sentence}`)],
  );
  if (sentences.length === 0) return [];
  return ['Verdicts', ...sentences.map((sentence) => wrap(sentence, width)), ''];
}

function answers({ answers: all }: FillSummary): string[] {
  if (all.length === 0) return [];
  const sentences = all.flatMap((answer) => answer.sentences);
  return [
    "How Chromium's cache shares a response that is arriving",
    ...sentences.map((sentence) => wrap(`- ${sentence}`, width)),
    '',
  ];
}
