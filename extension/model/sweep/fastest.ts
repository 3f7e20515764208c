import { gapDirection, placesWhere } from './gap-outcomes.ts';
import type { ArmFit, SweepPoint } from './result.ts';
import { isRecompressed } from './recompressed.ts';
import { isSameSeries, type Series, seriesName } from './series.ts';

const list = new Intl.ListFormat('en', { type: 'disjunction' });

/**
 * The fastest series at each delay, one sentence per workload with a recompressed series. Series that no verdict
 * separates are named together.
 */
export function fastestSentences(points: readonly SweepPoint[], fits: readonly ArmFit[]): string[] {
  const workloads = new Set(fits.filter(isRecompressed).map(({ workload }) => workload));
  return [...workloads].flatMap((name) => {
    const series = fits.filter(({ workload }) => workload === name);
    const judged = points.map((point) => namesOf(fastestAt(point, series)));
    const groups = [...new Set(judged)].filter((names) => names !== '');
    if (groups.length === 0) return [];
    const parts = groups.map((names) => {
      const at = judged.map((each) => each === names);
      return `${names} at ${placesWhere(points, at)}`;
    });
    return [`The fastest cached read: ${parts.join('; ')}.`];
  });
}

/**
 * The series with usable reads that no verdict shows to be slower than another one; empty where nothing was compared.
 */
function fastestAt(point: SweepPoint, series: readonly Series[]): Series[] {
  const gaps = point.gaps.filter(({ ms }) => ms !== null);
  if (gaps.length === 0) return [];
  const slower = gaps.flatMap((gap) => {
    const direction = gapDirection(gap);
    if (direction === 'slower') return [gap.of];
    return direction === 'faster' ? [gap.against] : [];
  });
  const read = point.arms.filter(({ medianMs }) => medianMs !== null);
  const isIn = (all: readonly Series[], one: Series) =>
    all.some((other) => isSameSeries(other, one));
  return series.filter((one) => isIn(read, one) && !isIn(slower, one));
}

function namesOf(series: readonly Series[]): string {
  const names = list.format(series.map(seriesName));
  return series.length > 1 ? `${names} (no difference shown)` : names;
}
