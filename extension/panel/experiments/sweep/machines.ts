import {
  designText,
  heterogeneityText,
  machineCaption,
  type MachineGap,
  rangeText,
  signedPercent,
  spreadText,
} from '@cachescope/model/sweep/machine-gaps.ts';
import type { MachineDesign } from '@cachescope/model/sweep/saved-summary.ts';
import { count, milliseconds, unknownText } from '@cachescope/model/quantity.ts';
import type { Interval } from '@cachescope/model/statistics/interval.ts';
import { seriesName } from '@cachescope/model/sweep/series.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { Chart } from 'chart.js';
import { html, nothing, type TemplateResult } from 'lit';
import { type Figure, figureView } from '../../charts/figure.ts';
import { intervalRows } from '../../charts/interval-rows.ts';
import { plainTable } from '../../charts/plain-table.ts';
import { seriesStyle } from '../../charts/series-style.ts';
import { drawnText, rowsOf } from './machine-rows.ts';
import type { WorkloadPart } from '../../run/workload-part.ts';

/**
 * The effects of a merged run by machine: a forest plot for each pair at each point, and one table. Nothing for a run
 * that was not merged.
 */
export function machinesPart(
  { name, summary }: WorkloadPart,
  isDark: boolean,
): TemplateResult | typeof nothing {
  const gaps = summary.machines ?? [];
  if (gaps.length === 0) return nothing;
  const side = name === undefined ? '' : `-${name.replaceAll(/[^\w-]/g, '-')}`;
  const figures = gaps.map((gap, place) =>
    forestPlot(gap, summary, `machines${side}-${place + 1}`),
  );
  return html`<div class="figures">
      ${figures.map((figure) => figureView(figure, [summary.counts, isDark]))}
    </div>
    ${machineTable(gaps)} ${varianceTable(gaps)}`;
}

function forestPlot(gap: MachineGap, summary: SweepSummary, id: string): Figure {
  const rows = rowsOf(gap, seriesStyle(summary, gap.of));
  return {
    id,
    title: `${pairName(gap)}, ${pointName(gap)} (effect, %)`,
    caption: `${machineCaption(gap.pooled)} Right of 0, ${seriesName(gap.of)} is slower.${drawnText(gap)}`,
    heightPx: 70 + 26 * rows.length,
    draw: (canvas) => new Chart(canvas, intervalRows(rows, 'Effect, %', { textPx: 72 })),
  };
}

function machineTable(gaps: readonly MachineGap[]): TemplateResult {
  const words = {
    label: 'Effect by machine',
    titles: ['Pair', 'Point', 'Machine', 'Launches', 'Effect', '95 % interval', 'Heterogeneity'],
    caption:
      'Relative difference of the medians by machine, and its mean over all machines. A dash means unknown: fewer than two launches.',
    words: [1, 2, 6],
  };
  return plainTable(words, gaps.flatMap(tableRows));
}

/** Where the variance of each effect comes from, and what would halve its interval. */
function varianceTable(gaps: readonly MachineGap[]): TemplateResult {
  const words = {
    label: 'Variance of the effect',
    titles: ['Pair', 'Point', 'Machines', 'Launches', 'Reads', 'This run', 'Half the interval'],
    caption:
      'Standard deviation of each effect between machines, launches and reads, and the design that would halve its interval for the least machine time. Machine time is without start and populating. A dash means unknown.',
    words: [1, 5, 6],
  };
  const design = (each: MachineDesign | null | undefined) =>
    each ? designText(each) : unknownText;
  const rows = gaps.map((gap) => {
    const { components, now, halved } = gap.variance ?? {};
    const spreads = [components?.machine, components?.launch, components?.read].map(spreadText);
    return [pairName(gap), pointName(gap), ...spreads, design(now), design(halved)];
  });
  return plainTable(words, rows);
}

function tableRows(gap: MachineGap): string[][] {
  const { machines, relative, interval, prediction, heterogeneity } = gap.pooled;
  const row = (
    name: string,
    launches: string,
    effect: number,
    range: Interval | null,
    last = '',
  ) => [
    pairName(gap),
    pointName(gap),
    name,
    launches,
    signedPercent(effect),
    intervalText(range),
    last,
  ];
  return [
    ...machines.map((each) =>
      row(each.machine, count(each.launches), each.relative, each.interval),
    ),
    row('All machines', '', relative, interval, heterogeneityText(heterogeneity)),
    ...(prediction ? [row('Next machine', '', relative, prediction)] : []),
  ];
}

function pairName({ of, against }: MachineGap): string {
  return `${seriesName(of)} against ${seriesName(against)}`;
}

function pointName({ storage, requestedDelayMs }: MachineGap): string {
  return storage === 'none' ? 'control' : `${milliseconds(requestedDelayMs)} read delay`;
}

function intervalText(interval: Interval | null): string {
  return interval ? rangeText(interval) : unknownText;
}
