import { digits, milliseconds } from '../quantity.ts';
import { delayText } from './gap-outcomes.ts';
import type { ArmPoint, SweepPoint } from './result.ts';
import { isSameSeries, seriesName } from './series.ts';

/**
 * How long a read takes at the largest delay and on ordinary storage, for a sweep of one series, which compares nothing;
 * empty for several series, or without a usable
 * sample on the slow device.
 */
export function singleSeriesSentences(points: readonly SweepPoint[]): string[] {
  const known = points.flatMap((point) =>
    point.arms.filter(({ medianMs }) => medianMs !== null).map((arm) => ({ point, arm })),
  );
  const series = known[0]?.arm;
  const last = known.findLast(({ point }) => point.storage !== 'none');
  if (!series || !last || known.some(({ arm }) => !isSameSeries(arm, series))) return [];
  const control = known.find(({ point }) => point.storage === 'none');
  const name = `a cached ${seriesName(series)} read`;
  const pair = { of: series, against: series };
  return [
    `At ${delayText(last.point, pair)} ${name} takes ${timeOf(last.arm)}.`,
    ...(control ? [`On ordinary storage (the control) ${name} takes ${timeOf(control.arm)}.`] : []),
  ];
}

/** `27.5 ms (95 % interval 27 to 29.5)`. */
function timeOf({ medianMs, lowMs, highMs }: ArmPoint): string {
  if (lowMs === null || highMs === null) return `${milliseconds(medianMs)} (interval unknown)`;
  return `${milliseconds(medianMs)} (95 % interval ${digits(lowMs)} to ${digits(highMs)})`;
}
