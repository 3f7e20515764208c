import { breakEvenRow } from '@cachescope/model/explain/break-even-words.ts';
import { codingLabels } from '@cachescope/model/coding.ts';
import type { Explanation } from '@cachescope/model/explain/explanation.ts';
import { count, digits, milliseconds, percent, unknownText } from '@cachescope/model/quantity.ts';
import { isSameSeries, seriesName } from '@cachescope/model/sweep/series.ts';
import {
  pointName,
  storedFormLabels,
  type FormTime,
  formTimeTable,
} from '@cachescope/model/explain/stored-form.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { intervalCell } from '../../charts/interval-text.ts';
import { type Cell, table } from '../../charts/plain-table.ts';

type Section = TemplateResult | typeof nothing;

/** The tables behind the figures of an explanation. */
export function explanationTables(explanation: Explanation): Section[] {
  return [
    formSection(explanation),
    modelSection(explanation),
    breakEvenSection(explanation),
    predictionSection(explanation),
    firstLoadSection(explanation),
    costSection(explanation),
  ];
}

/** A table folded below its heading, because the charts show the answer; nothing without rows. The first `words` columns hold text. */
function section(
  title: string,
  caption: string,
  titles: readonly string[],
  words: number,
  rows: readonly (readonly Cell[])[],
  below: Section = nothing,
): Section {
  if (rows.length === 0) return nothing;
  return html`<details>
    <summary><h2>${title}</h2></summary>
    ${table(title, caption, titles, words, rows)} ${below}
  </details>`;
}

/**
 * Base, waits and residuals of every series, with the serial reads and the busy time of a traced read beside the waits.
 */
function modelSection({ models, witnesses }: Explanation): Section {
  const all = models.flatMap(({ points }) => points.map((point) => point.requestedDelayMs));
  const delays = [...new Set(all)];
  const rows = models.map((model): Cell[] => {
    const { series, baseMs, baseInterval, waits, waitsInterval, points, verdict, why } = model;
    const witness = witnesses.find((each) => isSameSeries(each.series, series));
    const off = witness?.differenceShare ?? null;
    return [
      seriesName(series),
      intervalCell(digits(baseMs), baseInterval),
      intervalCell(digits(waits), waitsInterval),
      digits(witness?.serialReads ?? null),
      html`<span
        >${digits(witness?.busyWaits ?? null)}<small
          >${off === null ? '' : `${off < 0 ? '' : '+'}${percent(off)}`}</small
        ></span
      >`,
      ...delays.map((delayMs) => {
        const point = points.find((each) => each.requestedDelayMs === delayMs);
        if (!point) return unknownText;
        const share = 100 * point.residualShare;
        return html`<span class=${point.isOff ? 'off' : ''}
          >${share < 0 ? '' : '+'}${digits(share)} %</span
        >`;
      }),
      html`<span title=${why ?? ''} class=${verdict === 'fails' ? 'off' : ''}>${verdict}</span>`,
    ];
  });
  const measured = delays.map((ms) => `at ${milliseconds(ms)}`);
  return section(
    'The model',
    'Read time = base + waits x delay of a device read, with 95 % intervals. Serial reads: device reads of a traced read, each issued after the one before completed. Busy: its time with at least one device read in flight, in units of the delay, and how far the waits differ from it. Last columns: residual (measured minus model) at each delay.',
    ['Series', 'Base, ms', 'Waits', 'Serial reads', 'Busy', ...measured, 'Model'],
    1,
    rows,
  );
}

/** The time of a hit for each form in which the same bytes are stored. */
function formSection({ formTimes }: Explanation): Section {
  const { forms, rows } = formTimeTable(formTimes);
  return section(
    'By stored form',
    'Medians, ms, and below them the difference to today’s form where it is significant.',
    ['Workload', 'Delay', ...forms.map((form) => storedFormLabels[form])],
    2,
    rows.map(({ workload, point, cells }) => [workload, point, ...cells.map(formCell)]),
  );
}

function formCell(found: FormTime | undefined): Cell {
  if (!found) return unknownText;
  const { medianMs, verdict, differenceMs, sentence } = found;
  const way = verdict?.direction === 'greater' ? 'slower' : 'faster';
  const words = {
    SAME: html`<small class="same">same</small>`,
    UNKNOWN: html`<small>unknown</small>`,
    DIFFERENT: html`<small class=${way}
      >${digits(Math.abs(differenceMs ?? Number.NaN))} ${way}</small
    >`,
  };
  return html`<span title=${sentence ?? ''}
    >${digits(medianMs)}${verdict === null ? '' : words[verdict.outcome]}</span
  >`;
}

/** The delays at which a hit costs more than one of the baseline. */
function breakEvenSection({ breakEvens }: Explanation): Section {
  return section(
    'Break-even',
    'Break-even device latency: where a hit is slower than a hit of the baseline; with a network rate, slower by more than the first load saved at that rate.',
    ['Hit of', 'Network', 'Saved, ms', 'Slower'],
    2,
    breakEvens.map(breakEvenRow),
  );
}

/** Predicted times on the disks of the profiles. */
function predictionSection({ predictions }: Explanation): Section {
  const known = predictions.filter(({ readMs }) => readMs !== null);
  const disks = [...new Map(known.map(({ disk }) => [disk.name, disk])).values()];
  const series = Map.groupBy(known, (each) => seriesName(each.series));
  const rows = [...series].map(([name, own]): Cell[] => [
    name,
    ...disks.map((disk) => {
      const found = own.find((each) => each.disk.name === disk.name);
      return intervalCell(digits(found?.readMs ?? null), found?.interval);
    }),
  ]);
  return section(
    'Other disks',
    'Predicted time of a hit, ms, on a machine like this one with another disk. The interval is that of the model; deviations of a real disk from its published values are not included.',
    ['Series', ...disks.map(({ name, delayMs }) => `${name}, ${milliseconds(delayMs)}`)],
    1,
    rows,
    html`<ul>
      ${disks.map(({ name, source }) => html`<li>${name}: ${source}.</li>`)}
    </ul>`,
  );
}

/** First loads with and without a dictionary. */
function firstLoadSection({ firstLoads }: Explanation): Section {
  return section(
    'First loads',
    'Loads from the network, ms, each with a new URL and the page cache dropped, so the dictionary is read from disk.',
    ['Delay', 'With', 'Device reads', 'Without', 'Device reads', 'More, ms', 'Flagged'],
    1,
    firstLoads.map((load) => [
      pointName(load),
      `${digits(load.ofMs)} (${codingLabels[load.of]})`,
      digits(load.ofDeviceReads),
      `${digits(load.againstMs)} (${codingLabels[load.against]})`,
      digits(load.againstDeviceReads),
      intervalCell(digits(load.differenceMs), { low: load.lowMs, high: load.highMs }),
      digits(load.flagged),
    ]),
  );
}

/** Processor time of each coding. */
function costSection({ codingCosts }: Explanation): Section {
  return section(
    'Processor time of each coding',
    'Medians in Node on one core, without a browser, with the encoder settings of the origin.',
    ['Workload', 'Coding', 'Bytes', 'Encode, ms', 'Decode, ms'],
    2,
    codingCosts.map((cost) => [
      cost.workload,
      codingLabels[cost.coding],
      count(cost.encodedBytes),
      digits(cost.encodeMs),
      digits(cost.decodeMs),
    ]),
  );
}
