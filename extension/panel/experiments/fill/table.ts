import { publishedRows, type PublishedRow } from '@cachescope/model/fill/history.ts';
import type { FillSuiteSummary } from '@cachescope/model/fill/suite-summary.ts';
import { percentText } from '@cachescope/model/fill/summary.ts';
import { byteSize, digits, unknownText } from '@cachescope/model/quantity.ts';
import { html, nothing, type TemplateResult } from 'lit';

const titles = [
  'System',
  'Origin requests',
  'Origin bytes',
  'Origin Mbps',
  'Requests',
  'Bytes',
  'Mbps',
  'Byte wait',
  'First byte',
  'Hit rate',
];

function seconds(ms: number | null): string {
  return ms === null ? unknownText : `${(ms / 1000).toFixed(2)} s`;
}

/** The benchmark's table of one suite: our rows, then its published rows for context. */
export function fillTable(summary: FillSuiteSummary): TemplateResult {
  const { title, suite, rows } = summary;
  const published = publishedRows.filter((row) => row.suite === suite.name);
  return html`<div class="scroll" role="region" aria-label=${title} tabindex="0">
    <table>
      <thead>
        <tr>
          ${titles.map(
            (text, place) => html`<th scope="col" class=${place === 0 ? 'word' : ''}>${text}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(({ system, measures }) =>
          line(system, [
            `${measures.originRequests}`,
            byteSize(measures.originBytes),
            digits(measures.originMbps),
            `${measures.requests}`,
            byteSize(measures.bytes),
            digits(measures.mbps),
            seconds(measures.byteWaitMs),
            seconds(measures.firstByteMs.mean),
            percentText(measures.hitRate),
          ]),
        )}
        ${published.length === 0 ? nothing : published.map(publishedLine)}
      </tbody>
    </table>
  </div>`;
}

function publishedLine(row: PublishedRow): TemplateResult {
  return line(`${row.system}, published`, [
    `${row.originRequests}`,
    byteSize(row.originBytes),
    digits(row.originMbps),
    `${row.requests}`,
    byteSize(row.bytes),
    digits(row.mbps),
    seconds(row.byteWaitS * 1000),
    seconds(row.firstByteS * 1000),
    percentText(row.hitRate / 100),
  ]);
}

function line(name: string, cells: readonly string[]): TemplateResult {
  return html`<tr>
    <th scope="row" class="word">${name}</th>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr>`;
}
