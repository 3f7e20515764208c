import { holds } from '@cachescope/model/statistics/interval.ts';
import { type MachineReading, pooledEffect } from '@cachescope/model/sweep/machine-effect.ts';
import { machineVariance } from '@cachescope/model/sweep/machine-variance.ts';
import { normal, row, share } from './statistics-simulation.ts';

const trials = 2000;
const counts = [3, 6, 20];

/**
 * sd between machines 20 %, between launches 5 %, between reads 5 %; the effect has an sd of `spread` between machines.
 */
function simulated(
  machines: number,
  effect: number,
  spread: number,
  { launches, reads } = { launches: 4, reads: 4 },
) {
  const of: MachineReading[] = [];
  const against: MachineReading[] = [];
  const truths: number[] = [];
  for (let place = 0; place < machines; place++) {
    const speed = 0.2 * normal();
    const own = effect + spread * normal();
    truths.push(own);
    for (let launch = 0; launch < launches; launch++) {
      const level = speed + 0.05 * normal();
      const where = { machine: String(place), launch: place * launches + launch };
      for (let read = 0; read < reads; read++) {
        of.push({ ...where, value: 20 * Math.exp(level + own + 0.05 * normal()) });
        against.push({ ...where, value: 20 * Math.exp(level + 0.05 * normal()) });
      }
    }
  }
  return { of, against, truths };
}

/**
 * Coverage of the mean effect over all machines of this kind; with fewer than 4 machines, over the measured machines.
 */
function effectCoverage(machines: number, effect: number, spread: number): number {
  return share(() => {
    const { of, against, truths } = simulated(machines, effect, spread);
    const pooled = pooledEffect(of, against);
    const these = truths.reduce((sum, each) => sum + each, 0) / machines;
    const truth = pooled?.scope === 'any machine' ? effect : these;
    return pooled?.interval ? holds(pooled.interval, Math.expm1(truth)) : false;
  }, trials);
}

/**
 * Mean width of the interval, as a logarithm, of runs with the design that was found to halve it, in percent of the
 * width of runs with the original design.
 */
function halvedWidth(machines: number): number {
  const widths = { original: 0, halved: 0 };
  for (let trial = 0; trial < trials / 4; trial++) {
    const { of, against } = simulated(machines, 0.1, 0.1);
    const variance = machineVariance(of, against, () => ({ startsMs: 5000, roundMs: 1000 }));
    const { halved } = variance ?? {};
    const first = pooledEffect(of, against)?.interval;
    if (!halved || !first) continue;
    const next = simulated(halved.machines, 0.1, 0.1, halved);
    const second = pooledEffect(next.of, next.against)?.interval;
    if (!second) continue;
    widths.original += Math.log1p(first.high) - Math.log1p(first.low);
    widths.halved += Math.log1p(second.high) - Math.log1p(second.low);
  }
  return (100 * widths.halved) / widths.original;
}

/** Checks the promises for runs on several machines. */
export function measureMachines(): void {
  console.log(
    `\nMachines 20 % apart, ${trials} trials, machines ${counts.join(', ')} (goal: coverage 95 +- 2, A/A at most 5 +- 1)`,
  );
  row('coverage, effect 10 %, the same on all', counts, (count) => effectCoverage(count, 0.1, 0));
  row('coverage, effect 10 % that varies by 10 %', counts, (count) =>
    effectCoverage(count, 0.1, 0.1),
  );
  row('A/A: called different, no effect', counts, (count) => 100 - effectCoverage(count, 0, 0));
  row(
    'width with the design to halve it, % of the original (4, 6, 20 machines)',
    [4, 6, 20],
    halvedWidth,
  );
}
