import { explain } from '@cachescope/model/explain/analysis.ts';
import type { Explanation } from '@cachescope/model/explain/explanation.ts';
import type { HitModel } from '@cachescope/model/explain/hit-model.ts';
import { baselineArm, isSameSeries } from '@cachescope/model/sweep/series.ts';
import { readsOf } from '@cachescope/model/sweep/reads.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { breakEvenChart } from '@cachescope/model/explain/break-even-chart.ts';
import { seriesLook } from '@cachescope/model/sweep/series-look.ts';
import type { Figure } from '../../charts/figure.ts';
import { figureOf } from '../../page/figure.ts';
import { modelChart } from './model-chart.ts';
import { oncePer } from '../../once-per.ts';
import { unnamed, type WorkloadPart } from '../../run/workload-part.ts';

/** The explanation of a run with the option `explain`; null for other runs. Cached because resampling is slow. */
export const explanationOf = oncePer(
  (
    { run, samples, traced = [], summary: saved }: SweepRunDocument,
    summary: SweepSummary,
  ): Explanation<HitModel> | null =>
    // Without its samples a run cannot be explained.
    run.plan.explain && !saved ? explain(run, summary, readsOf(samples), traced) : null,
);

/** Break-even and model of one workload, as figures. */
export function explanationFigures(
  document: SweepRunDocument,
  explanation: Explanation<HitModel>,
  part: WorkloadPart,
): Figure[] {
  const { models, breakEvens } = explanation;
  const own = models.filter(({ series }) => series.workload === part.name);
  if (own.length === 0) return [];
  const id = part.name === undefined ? '' : `-${part.name.replaceAll(/[^\w-]/g, '-')}`;
  const baseline = baselineArm(document.run.plan);
  const of = own.find(({ series }) => series.arm === 'dcb');
  const against =
    of && own.find(({ series }) => isSameSeries(series, { ...of.series, arm: baseline ?? 'br' }));
  const rates = breakEvens.filter((each) => of && isSameSeries(each.of, of.series));
  return [
    ...(of && against && of !== against
      ? breakEvenChart(rates, part.summary.points, {
          of: unnamed(of.series),
          against: unnamed(against.series),
          look: seriesLook(part.summary.fits, unnamed(of.series)),
          id: `break-even${id}`,
          where: titleOf(part),
        }).map(figureOf)
      : []),
    figureOf(modelChart(part, models)),
  ];
}

function titleOf({ name }: WorkloadPart): string {
  return name === undefined ? '' : `, ${name}`;
}
