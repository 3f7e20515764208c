import { markdownTable, markdownText } from '@cachescope/model/markdown.ts';
import { digits, unknownText } from '@cachescope/model/quantity.ts';
import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { quantile } from '@cachescope/model/statistics/quantile.ts';
import {
  type Format,
  type MeasuredGroup,
  type MeasuredMetric,
  type MeasuredPlace,
  measurementsOf,
} from './measurements.ts';
import { unfinishedText } from '../status.ts';

/** A table in the form of hyperfine's `--export-markdown`: a row for each group, for the first metric. */
export const markdown: Format = {
  readers: 'people, in issues and reviews: a table as hyperfine writes it',
  render: (document) => metricTable(measurementsOf(document).metrics[0]),
};

/**
 * A row for each group of a metric: median, minimum, maximum, and the median relative to the smallest one of its place.
 */
function metricTable({ metric, places }: MeasuredMetric): string {
  const { unit } = metric.measure;
  const verdicts = places.some(({ verdict }) => verdict !== undefined);
  const header = [
    'Cell',
    `Median [${unit}] (95 % interval)`,
    `Min [${unit}]`,
    `Max [${unit}]`,
    'Relative',
    ...(verdicts ? ['Verdict'] : []),
  ];
  const rows = places.flatMap((place) =>
    place.groups.map((group, index) => [
      `${place.name}, ${group.name}`,
      medianText(group),
      digits(quantile(group.values, 0)),
      digits(quantile(group.values, 1)),
      relativeText(group, place),
      // The verdict applies to both sides, so it is shown in B's row.
      ...(verdicts ? [index > 0 ? (place.verdict?.outcome ?? '') : ''] : []),
    ]),
  );
  return markdownTable(header, rows, 1);
}

function medianText({ median, low, high }: MeasuredGroup): string {
  return low === null || high === null
    ? digits(median)
    : `${digits(median)} (${digits(low)} to ${digits(high)})`;
}

/** As in hyperfine: the smallest median is 1.00. */
function relativeText({ median }: MeasuredGroup, { groups }: MeasuredPlace): string {
  const smallest = quantile(
    groups.flatMap((group) => group.median ?? []),
    0,
  );
  if (median === null || smallest === null) return unknownText;
  if (median === smallest) return '1.00';
  return smallest === 0 ? unknownText : (median / smallest).toFixed(2);
}

/** A page for GitHub's step summary: the finding, a table for each metric, the environment, and the warnings. */
export const stepSummary: Format = {
  readers: 'GitHub: append it to `$GITHUB_STEP_SUMMARY`',
  render(document, { bot }) {
    const { run, experiment, metrics, finding } = measurementsOf(document);
    const { chromium, cpu, cores, kernel, storage } = run.environment;
    const where = [
      chromium.version,
      storage,
      `${cpu}, ${cores} cores`,
      kernel,
      ...(bot ? [bot] : []),
    ];
    const unfinished = unfinishedText(run);
    const warnings = [
      ...foldedWarnings(run.warnings),
      ...(unfinished === null ? [] : [unfinished]),
    ];
    return [
      `### Cachescope: ${markdownText(experiment)}`,
      ...finding.map(markdownText),
      ...metrics.map((each) =>
        `#### ${markdownText(each.metric.title)}\n\n${metricTable(each)}`.trimEnd(),
      ),
      ...metrics[0].places.flatMap(({ name, verdict }) =>
        verdict ? [markdownText(`${name}: ${verdict.sentence}`)] : [],
      ),
      `Measured ${run.startedAt.slice(0, 16).replace('T', ' ')} UTC: ${where.map(markdownText).join('; ')}.`,
      ...warnings.map((warning) => `Warning: ${markdownText(warning)}`),
    ]
      .join('\n\n')
      .concat('\n');
  },
};
