import { greatest, knownSum } from '@cachescope/model/extremes.ts';
import { armLabel } from '@cachescope/model/sweep/series.ts';
import { digits, milliseconds, percent } from '@cachescope/model/quantity.ts';
import {
  type HitStep,
  hitSteps,
  takenOn,
  type TracedRead,
  wholeMs,
} from '@cachescope/model/explain/traced-read.ts';
import { tracesOfOneSide } from '@cachescope/model/explain/step-charts.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { stepWords } from '@cachescope/model/explain/hit-words.ts';

/** A step that has less than this share of the longest read in all reads is not visible. */
const leastShare = 0.002;

/** The traced reads of the first workload, variant and, in a merged run, shard, by delay. */
export function shownReads(traced: readonly TracedRead[]): TracedRead[] {
  return tracesOfOneSide(traced.filter(({ durationMs }) => durationMs !== null)).toSorted(
    (a, b) => rank(a) - rank(b),
  );
}

/** The steps of one traced read for each arm and delay. */
export function stepsFigure(
  traced: readonly TracedRead[] | undefined,
): TemplateResult | typeof nothing {
  const reads = shownReads(traced ?? []);
  if (reads.length === 0) return nothing;
  const most = greatest(reads.map(wholeMs));
  const steps = hitSteps.filter((step) =>
    reads.some((read) => (read.steps[step]?.ms ?? 0) > leastShare * most),
  );
  return html`<figure id="hit-steps">
    <figcaption>
      <h3>Steps of a cached read by arm and delay (ms)</h3>
      <p>${caption(reads)}</p>
    </figcaption>
    <ul class="bar-legend">
      ${steps.map((step) => html`<li class="step ${step}">${stepWords[step].name}</li>`)}
    </ul>
    <div class="stacked-bars" role="img" aria-label=${caption(reads)}>
      ${reads.map((read, index) => row(read, most, steps, reads[index - 1]))}
    </div>
  </figure>`;
}

function rank({ cell }: TracedRead): number {
  return cell.storage === 'none' ? -1 : cell.delayMs;
}

function row(
  read: TracedRead,
  mostMs: number,
  steps: readonly HitStep[],
  before: TracedRead | undefined,
): TemplateResult {
  const isNewDelay = before === undefined || rank(before) !== rank(read);
  const delay = read.cell.storage === 'none' ? 'control' : milliseconds(read.cell.delayMs);
  return html`<span class="delay">${isNewDelay ? delay : ''}</span>
    <span>${armLabel(read.cell)}</span>
    <span class="bar"
      >${steps.map((step) => {
        const ms = read.steps[step]?.ms ?? 0;
        const share = (100 * ms) / mostMs;
        const title = `${stepWords[step].name}: ${milliseconds(ms)}`;
        return ms > 0
          ? html`<i
              class="step ${step}"
              .style=${`width: ${share.toFixed(3)}%`}
              title=${title}
            ></i>`
          : nothing;
      })}<small>${digits(wholeMs(read))}</small></span
    >`;
}

/** The share of opening and reading the entry at the largest delay. */
export function caption(reads: readonly TracedRead[]): string {
  const last = reads.at(-1);
  if (!last) return '';
  const at = reads.filter((read) => rank(read) === rank(last));
  const shares = at.map((read) => {
    const waitingMs = knownSum(
      (['entryOpen', 'headerRead', 'bodyRead'] as const).map(
        (step) => read.steps[step]?.ms ?? null,
      ),
    );
    const share = waitingMs === null ? null : waitingMs / wholeMs(read);
    return `${armLabel(read.cell)} ${percent(share)}`;
  });
  const where =
    last.cell.storage === 'none'
      ? 'On ordinary storage'
      : `At ${milliseconds(last.cell.delayMs)} a device read`;
  const place = takenOn(last);
  const on = place === undefined ? '' : ` on ${place}`;
  return `${where} opening the entry and reading its headers and body is ${shares.join(', ')} of the read. One traced read each${on}, excluded from the statistics.`;
}
