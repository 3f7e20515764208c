import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { markdownText } from '@cachescope/model/markdown.ts';
import { unfinishedText } from '../status.ts';
import type { Format } from './format.ts';
import { metricTable } from './markdown.ts';

/** A page for GitHub's step summary: the finding, a table for each metric, the environment, and the warnings. */
export const stepSummary: Format = {
  readers: 'GitHub: append it to `$GITHUB_STEP_SUMMARY`',
  render({ run, experiment, metrics, finding }, { bot }) {
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
