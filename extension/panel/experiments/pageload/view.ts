import { greatest } from '@cachescope/model/extremes.ts';
import { pageload } from '@cachescope/model/pageload/declaration.ts';
import { lastMoment, pageCellName } from '@cachescope/model/pageload/load.ts';
import type { PageloadRunDocument } from '@cachescope/model/pageload/run.ts';
import {
  type RepresentativeLoad,
  representativeLoads,
} from '@cachescope/model/pageload/statistics.ts';
import type { PageloadSummary } from '@cachescope/model/pageload/summary.ts';
import { sourcesText } from '@cachescope/model/pageload/tables.ts';
import { counted, digits, milliseconds } from '@cachescope/model/quantity.ts';
import { Chart } from 'chart.js';
import { axisEnd } from '../../charts/axis-rounding.ts';
import type { Figure } from '../../charts/figure.ts';
import { viewOf } from '../../page/view.ts';
import { waterfallChart, waterfallPx } from './waterfall.ts';

/** The declared page, with a waterfall of each kind of load at the longest delay. */
export const view = viewOf(pageload, waterfalls);

function waterfalls(
  { run: { page }, pageloads }: PageloadRunDocument,
  { figures }: PageloadSummary,
): Figure[] {
  const shown = representativeLoads(pageloads, figures);
  // All waterfalls have the same scale, so that they can be compared.
  const toMs = axisEnd(greatest(shown.map(({ load }) => lastMoment(load))));
  return shown.map(({ figure, load }): Figure => {
    const { arm, state, storage, delayMs } = figure.cell;
    const delay = storage === 'none' ? '' : `, ${digits(delayMs)} ms`;
    return {
      id: `waterfall-${arm}-${state}`,
      title: `${pageCellName(figure.cell)}${delay}: waterfall by source (ms)`,
      caption: caption({ figure, load }),
      heightPx: waterfallPx(page),
      draw: (canvas) => new Chart(canvas, waterfallChart(page, load, toMs)),
    };
  });
}

function caption({ figure, load: { rows, loadMs } }: RepresentativeLoad): string {
  return `${counted(rows.length, 'resource')}: ${sourcesText(figure)}. Each bar is a resource, light until its first byte; dashed line: the load event, ${milliseconds(loadMs)}.`;
}
