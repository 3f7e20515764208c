import type { FillDistribution } from '@cachescope/model/fill/measures.ts';
import type { FillSuiteSummary } from '@cachescope/model/fill/suite-summary.ts';
import { unknownText } from '@cachescope/model/quantity.ts';
import { html, type TemplateResult } from 'lit';

const quantities = [
  { title: 'First byte', of: 'firstByteMs' },
  { title: 'Byte wait', of: 'byteWaits' },
  { title: 'Whole request', of: 'durations' },
] as const;

const points = [
  { title: 'median', of: 'p50' },
  { title: '95 %', of: 'p95' },
] as const;

function seconds(ms: number | null): string {
  return ms === null ? unknownText : (ms / 1000).toFixed(2);
}

/** The distribution over the requests of each system, s. */
export function distributionTable({ title, rows }: FillSuiteSummary): TemplateResult {
  return html`<div
    class="scroll"
    role="region"
    aria-label="${title}: distributions over requests"
    tabindex="0"
  >
    <table>
      <thead>
        <tr>
          <th scope="col" class="word">Over requests, s</th>
          ${quantities.flatMap(({ title: quantity }) =>
            points.map((point) => html`<th scope="col">${quantity}, ${point.title}</th>`),
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ system, measures }) =>
            html`<tr>
              <th scope="row" class="word">${system}</th>
              ${quantities.flatMap(({ of }) => cells(measures[of]))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function cells(distribution: FillDistribution): TemplateResult[] {
  return points.map(({ of }) => html`<td>${seconds(distribution[of])}</td>`);
}
