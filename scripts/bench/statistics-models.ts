import { explainedSweep, trueBaseMs, trueWaits } from '@cachescope/model/fixtures/explain.ts';
import { hitModel, modelledInterval } from '@cachescope/model/explain/hit-model.ts';
import { pointsOfSeries } from '@cachescope/model/explain/hit-model-point.ts';
import { holds } from '@cachescope/model/statistics/interval.ts';
import { readsOf } from '@cachescope/model/sweep/reads.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { normal } from './statistics-simulation.ts';

/** Coverage of the model's intervals for its true base and waits, and its predictions for an unmeasured device. */
export function measureModels(): void {
  const runs = 500;
  console.log(
    `\nThe model of a hit, 5 launches a point, coverage in % of ${runs} runs (goal: 94 to 98)`,
  );
  for (const proofMs of [0, 0.25, 0.5]) {
    for (const launchNoise of [0.01, 0.04]) {
      const held = { base: 0, waits: 0, prediction: 0 };
      for (let seed = 1; seed <= runs; seed++) {
        const { run, samples } = explainedSweep({
          seed,
          launchNoise,
          arms: ['br'],
          sizes: [262_144],
          launches: 5,
          samplesPerCell: 5,
        });
        const [proof] = run.proofs;
        const proofs = run.plan.delaysMs.flatMap((requestedDelayMs) =>
          Array.from({ length: 10 }, () => ({
            ...proof!,
            requestedDelayMs,
            p50Ms: Math.max(0.01, requestedDelayMs + 0.1 + proofMs * normal()),
          })),
        );
        const noisy = { ...run, proofs };
        const [series] = pointsOfSeries(noisy, summarize(noisy, []).points, readsOf(samples));
        const model = series && hitModel(series.series, series.points);
        if (!model?.baseInterval || !model.waitsInterval) continue;
        const [base, waits] = [trueBaseMs('br', 262_144), trueWaits(65_536)];
        const predicted = modelledInterval(model, 3);
        if (holds(model.baseInterval, base)) held.base++;
        if (holds(model.waitsInterval, waits)) held.waits++;
        if (predicted && holds(predicted, base + 3 * waits)) held.prediction++;
      }
      const shares = Object.entries(held).map(
        ([name, count]) => `${name} ${((100 * count) / runs).toFixed(1)}`,
      );
      console.log(
        `  proofs ${proofMs} ms apart, launches ${100 * launchNoise} %: ${shares.join(', ')}`,
      );
    }
  }
}
