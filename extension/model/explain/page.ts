import { codingLabels } from '../coding.ts';
import { digits, percent } from '../quantity.ts';
import type { BreakEven } from './break-even.ts';
import { breakEvenRow } from './break-even-words.ts';
import type { FirstLoadGap } from './first-load.ts';
import { explainedHead } from './head.ts';
import { fastestOf } from '../page/fastest.ts';
import type { Page } from '../page/page.ts';
import { type Table, tableOf } from '../page/table.ts';
import { isSameSeries, seriesName } from '../sweep/series.ts';
import type { DiskPrediction, Explanation } from './explanation.ts';
import type { FittedModel } from './hit-model.ts';
import type { SerialReadWitnesses } from './serial-read-witness.ts';
import { pointName, type StoredForm, type FormTime } from './stored-form.ts';

/** The page of a sweep with its explanation: the question that it answers, the stored forms, and the model. */
export function explainedPage(
  page: Page,
  explanation: Explanation,
  { hasVerdicts }: { hasVerdicts: boolean },
): Page {
  const { answer, formTimes, models, witnesses, breakEvens, predictions } = explanation;
  const { firstLoads, codingCosts, waitModel, heldOut } = explanation;
  return {
    ...page,
    ...explainedHead(answer),
    sections: [
      { tables: [formTable(formTimes, hasVerdicts), modelTable(models, witnesses)] },
      {
        tables: [
          breakEvenTable(breakEvens),
          predictionTable(predictions),
          firstLoadTable(firstLoads),
          costTable(codingCosts),
        ],
        isDetail: true,
      },
    ],
    notes: [
      ...(page.notes ?? []),
      'Serial: serial device reads of a traced read; busy: its time with at least one device read in flight, in units of the delay; off: difference of the waits from busy. A device that serves reads only partly in parallel is busy for longer than its serial reads take.',
      ...(waitModel
        ? [
            `Waits by bytes stored, over all series: ${digits(waitModel.fixedWaits)}, and one more for each ${digits(waitModel.bytesPerWait / 1024)} KiB (median error ${percent(waitModel.medianErrorShare)}).`,
          ]
        : []),
      ...(heldOut.medianShare === null
        ? []
        : [
            `Fitted to every other delay, the model has a median error of ${percent(heldOut.medianShare)} at the remaining ones (${heldOut.points.length}).`,
          ]),
      ...models.flatMap(({ series, why }) =>
        why === null ? [] : [`The model fails for ${seriesName(series)}: ${why}.`],
      ),
    ],
  };
}

/** Names of the forms, short enough for a column. */
const formNames: Readonly<Record<StoredForm, string>> = {
  decoded: 'today',
  recompressed: 'Chromium’s',
  br: 'Brotli',
  gzip: 'Gzip',
  zstd: 'Zstd',
};

/** The time of a hit by the form in which the same bytes are stored. */
function formTable(formTimes: readonly FormTime[], hasVerdicts: boolean): Table {
  const [first] = formTimes;
  const isSeveral = formTimes.some(({ workload }) => workload !== first?.workload);
  return tableOf<FormTime>({
    columns: [
      {
        key: 'workload',
        value: ({ workload }) => (isSeveral ? workload : undefined),
        kind: 'name',
      },
      { key: 'delay', value: pointName, kind: 'name' },
      { key: 'read_ms', value: ({ medianMs }) => medianMs },
    ],
    // The answer is about the first workload.
    rows: (form) =>
      form === 'text'
        ? formTimes.filter(({ workload }) => workload === first?.workload)
        : formTimes,
    group: () => ({ title: 'Hit, ms, by the form in which the same bytes are stored' }),
    across: ({ form }) => formNames[form],
    ...(hasVerdicts && { last: { title: 'fastest', text: fastestForm } }),
    in: ['text'],
  });
}

/** Each form is compared with the one stored today. */
function fastestForm(line: readonly FormTime[]): string {
  return fastestOf(
    line.map(({ form }) => formNames[form]),
    line.flatMap(({ form, verdict }) =>
      verdict ? [{ of: formNames[form], against: formNames.decoded, verdict }] : [],
    ),
  );
}

/** Read time = base + waits x delay, with the device reads that a traced read waited for. */
function modelTable(
  models: readonly FittedModel[],
  witnesses: readonly SerialReadWitnesses[],
): Table {
  const witnessOf = ({ series }: FittedModel) =>
    witnesses.find((each) => isSameSeries(each.series, series));
  return tableOf<FittedModel>({
    columns: [
      { key: 'series', title: 'model', value: ({ series }) => seriesName(series), kind: 'name' },
      { key: 'base_ms', title: 'base, ms', value: ({ baseMs }) => baseMs },
      {
        key: 'waits',
        value: ({ waits }) => waits,
        interval: ({ waitsInterval }) => waitsInterval,
      },
      {
        key: 'serial_reads',
        title: 'serial reads',
        brief: 'serial',
        value: (model) => witnessOf(model)?.serialReads ?? null,
      },
      { key: 'busy_waits', title: 'busy', value: (model) => witnessOf(model)?.busyWaits ?? null },
      {
        key: 'off',
        value: (model) => witnessOf(model)?.differenceShare ?? null,
        unit: 'share',
      },
      { key: 'verdict', title: 'model', value: ({ verdict }) => verdict, kind: 'word' },
    ],
    rows: (form) =>
      form === 'text'
        ? models.filter(({ series }) => series.workload === models[0]?.series.workload)
        : models,
    group: () => ({ title: 'Read time = base + waits × delay of a device read' }),
    in: ['text'],
  });
}

/** Where a hit is slower than one of the baseline; with a network rate, slower by more than its first load saved. */
function breakEvenTable(breakEvens: readonly BreakEven[]): Table {
  const cell = (breakEven: BreakEven, place: number) => breakEvenRow(breakEven)[place];
  return tableOf<BreakEven>({
    columns: ['hit of', 'network', 'saved, ms', 'slower'].map((key, place) => ({
      key,
      value: (breakEven) => cell(breakEven, place),
      ...(place < 2 && { kind: 'name' }),
    })),
    rows: breakEvens,
    group: ({ against }) => ({
      title: `Break-even device latency: where a hit is slower than a hit of ${codingLabels[against.arm]}; with a network rate, slower by more than the first load saved at that rate`,
    }),
    in: ['report'],
  });
}

/** Disks that stand side by side. */
const disksInRow = 6;

/** Predicted times on disks that were not measured. */
function predictionTable(predictions: readonly DiskPrediction[]): Table {
  const known = predictions.filter(({ readMs }) => readMs !== null);
  const disks = [...new Set(known.map(({ disk }) => disk.name))];
  const rowOf = ({ disk }: DiskPrediction) => Math.floor(disks.indexOf(disk.name) / disksInRow);
  return tableOf<DiskPrediction>({
    columns: [
      { key: 'series', value: ({ series }) => seriesName(series), kind: 'name' },
      { key: 'read_ms', value: ({ readMs }) => readMs },
    ],
    rows: known,
    group: (each) => ({
      title: `Predicted time of a hit on other disks, ms, on a machine like this${rowOf(each) > 0 ? ` (${rowOf(each) + 1})` : ''}; sources are in predictions.csv`,
    }),
    across: ({ disk }) => disk.name.replace(/ (volume|SSD|A1|5\.1)$/, ''),
    in: ['report'],
  });
}

/** First loads from the network, with a dictionary and without. */
function firstLoadTable(firstLoads: readonly FirstLoadGap[]): Table {
  return tableOf<FirstLoadGap>({
    columns: [
      { key: 'delay', value: pointName, kind: 'name' },
      { key: 'with, ms', value: ({ ofMs }) => ofMs },
      { key: 'reads', value: ({ ofDeviceReads }) => ofDeviceReads },
      { key: 'without, ms', value: ({ againstMs }) => againstMs },
      {
        key: 'reads without',
        title: 'reads',
        value: ({ againstDeviceReads }) => againstDeviceReads,
      },
      { key: 'flagged', value: ({ flagged }) => flagged },
      { key: 'verdict', value: ({ verdict }) => verdict.outcome, kind: 'word' },
    ],
    rows: firstLoads,
    group: () => ({ title: 'First loads from the network, with a dictionary and without' }),
    in: ['report'],
  });
}

function costTable(costs: Explanation['codingCosts']): Table {
  return tableOf<Explanation['codingCosts'][number]>({
    columns: [
      { key: 'workload', value: ({ workload }) => workload, kind: 'name' },
      { key: 'coding', value: ({ coding }) => codingLabels[coding], kind: 'name' },
      { key: 'bytes', value: ({ encodedBytes }) => encodedBytes, unit: 'count' },
      { key: 'encode, ms', value: ({ encodeMs }) => encodeMs },
      { key: 'decode, ms', value: ({ decodeMs }) => decodeMs },
    ],
    rows: costs,
    group: () => ({ title: 'Processor time of each coding (Node, one core)' }),
    in: ['report'],
  });
}
