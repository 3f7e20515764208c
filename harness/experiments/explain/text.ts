import { codingLabels } from '@cachescope/model/coding.ts';
import { diskProfiles } from '@cachescope/model/explain/disk-profile.ts';
import { breakEvenRow } from '@cachescope/model/explain/break-even-words.ts';
import type { Explanation } from '@cachescope/model/explain/explanation.ts';
import {
  pointName,
  type StoredForm,
  type WhatIf,
  whatIfTable,
} from '@cachescope/model/explain/what-if.ts';
import { count, digits, percent, unknownText } from '@cachescope/model/quantity.ts';
import type { PlannedDisk } from '@cachescope/model/sweep/run.ts';
import { isSameSeries, type Series, seriesName } from '@cachescope/model/sweep/series.ts';
import { plainTable } from '../../results/plain-table.ts';
import { withInterval } from '../sweep/text-table.ts';
import { wrap } from '../../results/wrap.ts';

const width = 80;

/** The text of an explanation on stdout: the answer, then its evidence; 80 columns. */
export function explanationText(explanation: Explanation): string {
  const { answer, predictions } = explanation;
  const isPredicted = predictions.some(({ readMs }) => readMs !== null);
  return [
    'Should a browser compress a DCB response before it stores it?',
    '',
    wrap(answer.join(' '), width),
    ...modelSection(explanation),
    ...whatIfSection(explanation),
    ...breakEvenSection(explanation),
    ...(isPredicted
      ? section(
          'Predicted time of a hit on other disks, ms, on a machine like this',
          predictionTable(explanation, diskProfiles),
          'From published values of the disks; sources are in predictions.csv.',
        )
      : []),
    ...askedDisks(explanation).flatMap((disk) => ['', predictionTable(explanation, [disk])]),
    ...firstLoadSection(explanation),
    ...costSection(explanation),
    '',
  ].join('\n');
}

function section(title: string, table: string, ...notes: string[]): string[] {
  return ['', title, '', table, ...notes.map((note) => `\n${wrap(note, width)}`)];
}

/**
 * The model of every series, by workload, with the other witnesses of its waits. The parts of emulated hits are in
 * model.csv only.
 */
function modelSection({ models, witnesses, waitModel, heldOut }: Explanation): string[] {
  if (models.length === 0) return [];
  const head = ['workload', 'arm', 'base', 'waits', 'serial', 'busy', 'off, %', 'model'];
  const rows = [...byWorkload(models, ({ series }) => series)].flatMap(([workload, own]) =>
    own.map(({ series, baseMs, waits, waitsInterval, verdict }) => {
      const witness = witnesses.find((each) => isSameSeries(each.series, series));
      const off = witness?.differenceShare ?? null;
      return [
        workload,
        armName(series),
        digits(baseMs),
        withInterval(waits, waitsInterval?.low ?? null, waitsInterval?.high ?? null),
        digits(witness?.serialReads ?? null),
        digits(witness?.busyWaits ?? null),
        off === null ? unknownText : `${off < 0 ? '' : '+'}${digits(100 * off)}`,
        verdict,
      ];
    }),
  );
  const notes = [
    witnesses.some(({ verdict }) => verdict !== 'unknown') &&
      'Serial: serial device reads of a traced read; busy: its time with at least one device read in flight, in units of the delay; off: difference of the waits from busy. A device that serves reads only partly in parallel is busy for longer than its serial reads take.',
    waitModel &&
      `Waits by bytes stored, over all series: ${digits(waitModel.fixedWaits)}, and one more for each ${digits(waitModel.bytesPerWait / 1024)} KiB (median error ${percent(waitModel.medianErrorShare)}).`,
    heldOut.medianShare !== null &&
      `Fitted to every other delay, the model has a median error of ${percent(heldOut.medianShare)} at the remaining ones (${heldOut.points.length}).`,
    ...models.map(
      ({ series, why }) => why !== null && `The model fails for ${seriesName(series)}: ${why}.`,
    ),
  ];
  return section(
    'Read time = base + waits x delay of a device read (base in ms)',
    plainTable(head, 2, rows, 1),
    ...notes.filter((note) => typeof note === 'string'),
  );
}

/**
 * Items by workload, in their order, without the parts of emulated hits. A part's name is its workload's name, a dot,
 * and the kind of part.
 */
function byWorkload<Item>(
  items: readonly Item[],
  seriesIn: (item: Item) => Series,
): Map<string, Item[]> {
  const groups = Map.groupBy(items, (item) => seriesIn(item).workload ?? '');
  const names = new Set(groups.keys());
  const isPart = (name: string): boolean =>
    /\.(delta|dictionary)$/.test(name) && names.has(name.replace(/\.[a-z]+$/, ''));
  return new Map([...groups].filter(([name]) => !isPart(name)));
}

function armName({ arm, variant }: Series): string {
  return seriesName({ arm, ...(variant !== undefined && { variant }) });
}

const formColumns: Readonly<Record<StoredForm, string>> = {
  decoded: 'today',
  recompressed: 'rec.',
  br: 'Brotli',
  gzip: 'Gzip',
  zstd: 'Zstd',
  'dcb in turn': 'DCB *',
  'dcb at once': 'DCB **',
};

/** The read time in each stored form, by workload and delay; a mark says whether it differs from today's. */
function whatIfSection({ whatIfs }: Explanation): string[] {
  const { forms, rows } = whatIfTable(whatIfs);
  if (rows.length === 0) return [];
  const head = ['workload', 'delay', ...forms.map((form) => formColumns[form])];
  const cells = rows.map((row) => [row.workload, row.point, ...row.cells.map(marked)]);
  const margin = whatIfs.find(({ verdict }) => verdict !== null)?.verdict?.margin ?? null;
  const notes = [
    `Compared with today: - faster, + slower, = the same within ${percent(margin)}, nothing: unknown.`,
    ...(forms.includes('recompressed') ? ['rec.: DCB that Chromium itself recompressed.'] : []),
    ...(forms.some((form) => form.startsWith('dcb'))
      ? [
          '* and ** are emulated: the read of an entry as large as the DCB body, the read of its dictionary, and its decoding, each measured; * one read after the other, ** both at the same time.',
        ]
      : []),
  ];
  return section(
    'Time of a hit by the form in which the same bytes are stored, ms',
    plainTable(head, 1, cells, 1),
    notes.join(' '),
  );
}

/** A median, marked when it is faster (-) or slower (+) than the form stored today, or the same (=). */
function marked(found: WhatIf | undefined): string {
  if (!found) return unknownText;
  const { outcome, direction } = found.verdict ?? {};
  const way = direction === 'greater' ? '+' : '-';
  const mark = outcome === 'SAME' ? '=' : outcome === 'DIFFERENT' ? way : ' ';
  return `${digits(found.medianMs)} ${mark}`;
}

function breakEvenSection({ breakEvens }: Explanation): string[] {
  const [first] = breakEvens;
  if (!first) return [];
  const head = ['hit of', 'network', 'saved, ms', 'slower'];
  return section(
    wrap(
      `Break-even device latency: where a hit is slower than a hit of ${codingLabels[first.against.arm]}; with a network rate, slower by more than the first load saved at that rate`,
      width,
    ),
    plainTable(head, 2, breakEvens.map(breakEvenRow), 1),
  );
}

/** Predicted times of every series on these disks, ms. */
function predictionTable({ predictions }: Explanation, disks: readonly PlannedDisk[]): string {
  const short = ({ name }: PlannedDisk): string => name.replace(/ (volume|SSD|A1|5\.1)$/, '');
  const rows = [...byWorkload(predictions, ({ series }) => series)].flatMap(([workload, own]) =>
    [...Map.groupBy(own, ({ series }) => armName(series))].map(([arm, times]) => {
      const cells = disks.map(({ name }) => times.find(({ disk }) => disk.name === name));
      return [workload, arm, ...cells.map((cell) => digits(cell?.readMs ?? null))];
    }),
  );
  return plainTable(['workload', 'arm', ...disks.map(short)], 2, rows, 1);
}

/** The disks of the command line. They have their own tables, because there may be any number of them. */
function askedDisks({ predictions }: Explanation): PlannedDisk[] {
  const names = new Set(diskProfiles.map(({ name }) => name));
  const asked = predictions.map(({ disk }) => disk).filter(({ name }) => !names.has(name));
  return [...new Map(asked.map((disk) => [disk.name, disk])).values()];
}

function firstLoadSection({ firstLoads }: Explanation): string[] {
  if (firstLoads.length === 0) return [];
  const head = ['delay', 'with, ms', 'reads', 'without, ms', 'reads', 'verdict'];
  const rows = firstLoads.map((load) => [
    pointName(load),
    digits(load.ofMs),
    digits(load.ofDeviceReads),
    digits(load.againstMs),
    digits(load.againstDeviceReads),
    load.verdict.outcome,
  ]);
  const flagged = firstLoads.reduce((sum, load) => sum + load.flagged, 0);
  return section(
    'First loads from the network, with a dictionary and without',
    plainTable(head, 1, rows),
    ...(flagged > 0
      ? [`${flagged} first loads are flagged and excluded (flags in samples.ndjson).`]
      : []),
  );
}

function costSection({ codingCosts }: Explanation): string[] {
  if (codingCosts.length === 0) return [];
  const head = ['workload', 'coding', 'bytes', 'encode, ms', 'decode, ms'];
  const rows = codingCosts.map(({ workload, coding, encodedBytes, encodeMs, decodeMs }) => {
    return [
      workload,
      codingLabels[coding],
      count(encodedBytes),
      digits(encodeMs),
      digits(decodeMs),
    ];
  });
  return section('Processor time of each coding (Node, one core)', plainTable(head, 2, rows));
}
