import {
  byteSize,
  counted,
  digits,
  milliseconds,
  unknownText,
} from '@cachescope/model/quantity.ts';
import { armLabel, seriesAt, seriesName, sideName } from '@cachescope/model/sweep/series.ts';
import { bytesRead } from '@cachescope/model/explain/device-read.ts';
import {
  type HitStep,
  hitSteps,
  takenOn,
  type TracedRead,
} from '@cachescope/model/explain/traced-read.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { hitWaterfall } from './hit-waterfall.ts';
import { readWords, stepWords } from '@cachescope/model/explain/hit-words.ts';
import { tableFrame } from '../../charts/plain-table.ts';

/** The traced reads of one figure: the arms of one point, workload and variant. */
export interface TracedGroup {
  title: string;
  reads: TracedRead[];
}

/** The traced reads of a run in groups, in the order of the reads. */
export function tracedGroups(traced: readonly TracedRead[]): TracedGroup[] {
  const groups = new Map<string, TracedGroup>();
  for (const read of traced) {
    const title = titleOf(read);
    const group = groups.get(title) ?? { title, reads: [] };
    group.reads.push(read);
    groups.set(title, group);
  }
  return [...groups.values()];
}

function titleOf(read: TracedRead): string {
  const { cell, kind } = read;
  const point = cell.storage === 'none' ? 'control' : `${cell.delayMs} ms of read delay`;
  const where = kind === undefined ? point : `first loads, ${point}`;
  const words = [sideName(seriesAt(cell)), where, takenOn(read)];
  return words.filter((word) => word !== undefined).join(', ');
}

/**
 * The group of the first figure: of the first workload and variant the largest delay, where device waits are most
 * visible.
 */
export function shownGroup(groups: readonly TracedGroup[]): TracedGroup | undefined {
  const side = (group: TracedGroup | undefined) => {
    const cell = group?.reads[0]?.cell;
    return cell && sideName(seriesAt(cell));
  };
  const hits = groups.filter(({ reads: [read] }) => read?.kind === undefined);
  const first = hits.filter((group) => side(group) === side(hits[0]));
  const delay = ({ reads: [read] }: TracedGroup) => read?.cell.delayMs ?? 0;
  return first.toSorted((one, other) => delay(other) - delay(one))[0];
}

/** The first figure of a traced sweep: how one read spends its time, and which device reads it waits for. */
export function hitFigure(
  traced: readonly TracedRead[] | undefined,
): TemplateResult | typeof nothing {
  const groups = tracedGroups(traced ?? []);
  const shown = shownGroup(groups);
  if (!shown) return nothing;
  const title = `One cached read and its device reads, ${shown.title} (ms)`;
  const caption = hitCaption(shown);
  return html`<figure id="hit-waterfall">
    <figcaption>
      <h3>${title}</h3>
      <p>${caption}</p>
    </figcaption>
    ${legend(shown.reads)} ${hitWaterfall(shown.reads, `${title}. ${caption}`)}
  </figure>`;
}

/** Every traced read: the table of steps, and the figures of all points. */
export function tracedSection(
  traced: readonly TracedRead[] | undefined,
): TemplateResult | typeof nothing {
  const groups = tracedGroups(traced ?? []);
  if (groups.length === 0) return nothing;
  return html`<details class="traced">
    <summary><h2>Each traced read</h2></summary>
    ${hitTable(traced ?? [])}
    ${groups.map(
      ({ title, reads }) =>
        html`<section>
          <h3>${title}</h3>
          ${hitWaterfall(reads, title)}
        </section>`,
    )}
  </details>`;
}

/** Every traced read with the duration of its steps and its device reads. */
function hitTable(traced: readonly TracedRead[]): TemplateResult {
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
  const name = [seriesName(seriesAt(cell)), kind, takenOn(read)];
  return html`<tr class=${cell.storage === 'none' ? 'control' : ''}>
    <th class="word">${cell.storage === 'none' ? 'control' : `${cell.delayMs} ms`}</th>
    <td class="word">${name.filter((word) => word !== undefined).join(', ')}</td>
    <td>${digits(read.durationMs)}</td>
    ${steps.map((step) => {
      const { ms, why = '' } = read.steps[step];
      return html`<td title=${why}>${digits(ms)}</td>`;
    })}
    <td>${read.steps.bodyRead.count ?? unknownText}</td>
    <td title=${deviceReadsWhy ?? ''}>${deviceReads?.length ?? unknownText}</td>
    <td title=${deviceReadsWhy ?? ''}>${serialReads ?? unknownText}</td>
    <td>${byteSize(bytesRead(deviceReads))}</td>
    <td class="word">${flags.join(', ') || 'none'}</td>
  </tr>`;
}

/** The caption of a group's figure. */
export function hitCaption({ reads }: TracedGroup): string {
  const sentences = reads.map((read) => {
    const { deviceReads, serialReads, cell, durationMs } = read;
    const took = `${armLabel(cell)}: ${milliseconds(durationMs)}`;
    if (deviceReads === null) return `${took}, device reads unknown.`;
    const bytes = byteSize(bytesRead(deviceReads));
    const all = counted(deviceReads.length, 'device read');
    if (serialReads === null) return `${took}, ${all} (${bytes}), some perhaps of other programs.`;
    return `${took}, ${all} (${bytes}), ${serialReads} of them serial.`;
  });
  const calls = reads.flatMap(syscallSentence).join('');
  return `${sentences.join(' ')}${calls} Above: the steps of the read. Below: each device read from request to completion. Overlapping reads share one delay of the device; each serial read adds one. Traced reads are excluded from the statistics.`;
}

/**
 * The sentence about system calls: the number of files that a hit uses. A back end that maps its files into memory
 * makes no read calls.
 */
function syscallSentence({ cell, syscalls }: TracedRead): string[] {
  if (syscalls === null) return [];
  const own = syscalls.filter(({ kind }) => kind !== 'other');
  const files = counted(new Set(own.map(({ file }) => file)).size, 'file');
  const dictionary = own.some(({ kind }) => kind === 'dictionary') ? 'one' : 'none';
  const said = own.length === 0 ? 'none on cache files' : `${own.length} on ${files}`;
  const read = own.length === 0 ? '' : `, ${dictionary} of them a dictionary`;
  return [` System calls (${armLabel(cell)}): ${said}${read}.`];
}

/** Steps with a smaller share of their read are too short to be visible. */
const visibleShare = 0.004;

function legend(reads: readonly TracedRead[]): TemplateResult {
  const isVisible = (step: HitStep) =>
    reads.some(
      ({ steps, durationMs }) => (steps[step].ms ?? 0) > visibleShare * (durationMs ?? Infinity),
    );
  const kinds = new Set(
    reads.flatMap(({ deviceReads }) => (deviceReads ?? []).map(({ kind }) => kind)),
  );
  return html`<ul class="bar-legend">
    ${hitSteps
      .filter((step) => step !== 'rest' && isVisible(step))
      .map(
        (step) =>
          html`<li class="step ${step}" title=${stepWords[step].says}>${stepWords[step].name}</li>`,
      )}
    ${
      reads.some(({ syscalls }) => syscalls !== null)
        ? html`<li class="syscall">system calls</li>`
        : nothing
    }
    ${[...kinds].map((kind) => html`<li class="device-read ${kind}">device: ${readWords[kind]}</li>`)}
  </ul>`;
}
