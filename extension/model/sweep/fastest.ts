import { gapDirection, placesWhere } from './gap-outcomes.ts';
import type { ArmFit, Gap, SweepPoint } from './result.ts';
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
    const judged = points.map((point) => fastestAt(point, series));
    const groups = [...new Set(judged)].filter((names) => names !== '');
    if (groups.length === 0) return [];
    const parts = groups.map((names) => {
      const at = judged.map((each) => each === names);
      return `${names} ${placesWhere(points, at)}`;
    });
    return [`The fastest cached read: ${parts.join('; ')}.`];
  });
}

/**
 * Names of the series that no verdict shows to be slower than another one, with those that have no usable read and may be
 * faster; empty where nothing was compared.
 */
function fastestAt(point: SweepPoint, series: readonly Series[]): string {
  const gaps = point.gaps.filter(({ ms, of }) => ms !== null && isAmong(series, of));
  const slower = gaps.flatMap((gap) => {
    const direction = gapDirection(gap);
    if (direction === 'slower') return [gap.of];
    return direction === 'faster' ? [gap.against] : [];
  });
  const read = point.arms.filter(({ medianMs }) => medianMs !== null);
  const fastest = series.filter((one) => isAmong(read, one) && !isAmong(slower, one));
  if (gaps.length === 0 || fastest.length === 0) return '';
  const unread = series.filter((one) => !isAmong(read, one));
  const notes = [
    fastest.length > 1 &&
      (areAllCompared(gaps, fastest) ? 'no difference shown' : 'not all compared with each other'),
    unread.length > 0 && `no usable read of ${namesOf(unread)}`,
  ].filter((note) => note !== false);
  return notes.length === 0 ? namesOf(fastest) : `${namesOf(fastest)} (${notes.join('; ')})`;
}

/** Whether each has a gap to each other one: pairs are only those with a baseline, and of a series recompressed. */
function areAllCompared(gaps: readonly Gap[], series: readonly Series[]): boolean {
  return series.every((one, place) =>
    series
      .slice(place + 1)
      .every((other) => gaps.some(({ of, against }) => isPair([of, against], [one, other]))),
  );
}

function isPair(pair: readonly Series[], series: readonly Series[]): boolean {
  return series.every((one) => isAmong(pair, one));
}

function isAmong(all: readonly Series[], one: Series): boolean {
  return all.some((other) => isSameSeries(other, one));
}

function namesOf(series: readonly Series[]): string {
  return list.format(series.map(seriesName));
}
