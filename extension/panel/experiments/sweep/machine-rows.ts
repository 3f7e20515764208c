import { count } from '@cachescope/model/quantity.ts';
import type { Interval } from '@cachescope/model/statistics/interval.ts';
import { type MachineGap, signedPercent } from '@cachescope/model/sweep/machine-gaps.ts';
import type { IntervalRow } from '../../charts/interval-rows.ts';
import type { Look } from '../../charts/palette.ts';

/** Maximum number of machines in one chart; with more, those with the smallest and the largest effects are drawn. */
const mostDrawn = 40;
/** A longer name leaves no room for the chart; the table has the whole name. Characters. */
const longestName = 24;

const pooledLook: Look = { token: '--sys-color-on-surface', marker: 'rectRot' };
const furtherLook: Look = { token: '--sys-color-on-surface-subtle', marker: 'rectRot' };

/** A row per machine, then the mean of all, then the prediction for a further machine. */
export function rowsOf({ pooled }: MachineGap, look: Look): IntervalRow[] {
  const { relative, interval, prediction } = pooled;
  return [
    ...drawnMachines(pooled.machines).map((each) => row(shortName(each.machine), each, look)),
    row('All machines', { relative, interval }, pooledLook),
    ...(prediction ? [row('Next machine', { relative, interval: prediction }, furtherLook)] : []),
  ];
}

function row(
  label: string,
  { relative, interval }: { relative: number; interval: Interval | null },
  look: Look,
): IntervalRow {
  return {
    label,
    value: 100 * relative,
    span: interval && [100 * interval.low, 100 * interval.high],
    look,
    text: signedPercent(relative),
  };
}

/** All machines by name, or the extremes when there are too many for one chart. */
function drawnMachines<Item extends { relative: number }>(machines: readonly Item[]): Item[] {
  if (machines.length <= mostDrawn) return [...machines];
  const sorted = machines.toSorted((a, b) => a.relative - b.relative);
  return [...sorted.slice(0, mostDrawn / 2), ...sorted.slice(-mostDrawn / 2)];
}

/** Which machines a chart of too many shows; empty: all. */
export function drawnText({ pooled: { machines } }: MachineGap): string {
  if (machines.length <= mostDrawn) return '';
  return ` Drawn are the ${mostDrawn / 2} machines with the smallest and the ${mostDrawn / 2} with the largest effects of ${count(machines.length)}.`;
}

function shortName(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`;
}
