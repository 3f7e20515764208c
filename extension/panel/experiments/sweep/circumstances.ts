import { byteSize, digits } from '@cachescope/model/quantity.ts';
import type { SweepRun } from '@cachescope/model/sweep/run.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { proofTable } from '../../run/proof-table.ts';

/** How a sweep was measured: for a reader who wants to repeat it, or to doubt it. */
export function circumstances(run: SweepRun, summary: SweepSummary): TemplateResult {
  return html`<details>
    <summary><h2>How it was measured</h2></summary>
    <dl>
      ${terms(run, summary).map(
        ([term, value]) =>
          html`<dt>${term}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    ${run.proofs.length > 0 ? proofTable(run.proofs) : nothing}
  </details>`;
}

function terms(run: SweepRun, { counts }: SweepSummary): [term: string, value: string][] {
  const { plan, environment, timeSpent } = run;
  const { chromium, timerStepMs } = environment;
  const step =
    timerStepMs === null ? 'step not measured' : `steps of ${digits(timerStepMs * 1000)} µs`;
  const rows: [term: string, value: string][] = [
    [
      'Samples',
      `${counts.used} used, ${counts.companions} confirmation reads with the debugger attached`,
    ],
    [
      'Plan',
      `${plan.samplesPerCell} samples for each cell in ${plan.launchesPerPoint} launches ${plan.crossed ? 'that read at every delay' : 'for each point'}, seed ${plan.seed}`,
    ],
    ['Storage', environment.storage],
    ['Writes', plan.delayWrites ? 'delayed too' : 'not delayed'],
    ['Dictionary', byteSize(plan.workload.dictionaryBytes)],
    ['Page clock', step],
    [
      'Machine',
      `${environment.cpu}, ${environment.cores} cores, ${byteSize(environment.memoryBytes)}`,
    ],
    ['System', `${environment.os}, kernel ${environment.kernel}, Node ${environment.node}`],
    ['Chromium', chromium.path],
    ['Flags', chromium.flags.join(' ')],
    ['Command', `cachescope ${run.commandLine.join(' ')}`],
    ['Written by', `${run.tool.name} ${run.tool.version}`],
  ];
  if (!timeSpent || timeSpent.totalMs <= 0) return rows;
  const share = Math.round((100 * timeSpent.measuringMs) / timeSpent.totalMs);
  const seconds = digits(timeSpent.totalMs / 1000);
  return [...rows, ['Time', `${seconds} s, ${share} % of it inside timed reads`]];
}
