import { byteSize, digits, unknownText } from '@cachescope/model/quantity.ts';
import { seriesAt, seriesName } from '@cachescope/model/sweep/series.ts';
import { type HitStep, hitSteps, type TracedRead } from '@cachescope/model/explain/traced-read.ts';
import { html, type TemplateResult } from 'lit';
import { stepWords } from './hit-words.ts';
import { tableFrame } from '../../charts/plain-table.ts';

/** Every traced read with the duration of its steps and its device reads. */
export function hitTable(traced: readonly TracedRead[]): TemplateResult {
  // Steps that took more than 0.5 µs in at least one read.
  const steps = hitSteps.filter((step) =>
    traced.some((read) => (read.steps[step].ms ?? 0) > 0.0005),
  );
  const caption =
    'Steps of each traced read, ms. They add up to the whole read, except the dictionary, which is read at the same time. – is unknown.';
  return tableFrame(
    { label: 'Steps of each traced read', caption },
    html`<thead>
        <tr>
          <th class="word">Read delay</th>
          <th class="word">Arm</th>
          <th>Whole read</th>
          ${steps.map((step) => html`<th title=${stepWords[step].says}>${stepWords[step].name}</th>`)}
          <th>Body reads</th>
          <th>Device reads</th>
          <th>Serial reads</th>
          <th>From the device</th>
          <th class="word">Flags</th>
        </tr>
      </thead>
      <tbody>
        ${traced.map((read) => row(read, steps))}
      </tbody>`,
  );
}

function row(read: TracedRead, steps: readonly HitStep[]): TemplateResult {
  const { cell, kind, deviceReads, deviceReadsWhy, serialReads, flags } = read;
  const bytes = deviceReads?.reduce((sum, each) => sum + each.bytes, 0) ?? null;
  return html`<tr class=${cell.storage === 'none' ? 'control' : ''}>
    <th class="word">${cell.storage === 'none' ? 'control' : `${cell.delayMs} ms`}</th>
    <td class="word">${seriesName(seriesAt(cell))}${kind === undefined ? '' : `, ${kind}`}</td>
    <td>${digits(read.durationMs)}</td>
    ${steps.map((step) => {
      const { ms, why = '' } = read.steps[step];
      return html`<td title=${why}>${digits(ms)}</td>`;
    })}
    <td>${read.steps.bodyRead.count ?? unknownText}</td>
    <td title=${deviceReadsWhy ?? ''}>${deviceReads?.length ?? unknownText}</td>
    <td title=${deviceReadsWhy ?? ''}>${serialReads ?? unknownText}</td>
    <td>${byteSize(bytes)}</td>
    <td class="word">${flags.join(', ') || 'none'}</td>
  </tr>`;
}
