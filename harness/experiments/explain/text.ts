import { codingLabels } from '@cachescope/model/coding.ts';
import { diskProfiles } from '@cachescope/model/explain/disk-profile.ts';
import { breakEvenWords, rateWords } from '@cachescope/model/explain/break-even-words.ts';
import type { Explanation } from '@cachescope/model/explain/explanation.ts';
import type { Interval } from '@cachescope/model/statistics/interval.ts';
import { digits, milliseconds, percent, unknownText } from '@cachescope/model/quantity.ts';
import type { PlannedDisk } from '@cachescope/model/sweep/run.ts';
import { isSameSeries, type Series, seriesName } from '@cachescope/model/sweep/series.ts';
import { plainTable } from '../../results/plain-table.ts';
import { withInterval } from '../sweep/text-table.ts';
import { whatIfText } from './what-if-text.ts';
import { wrap } from '../../results/wrap.ts';

const width = 80;

function titled(title: string, table: string, ...notes: string[]): string[] {
  return ['', title, '', table, ...notes.map((note) => `\n${wrap(note, width)}`)];
}

function spread(value: number, interval: Interval | null): string {
  return withInterval(value, interval?.low ?? null, interval?.high ?? null);
}

/**
 * The model of every series, by workload, with the other witnesses of its waits. The parts of emulated hits are in
 * model.csv only.
 */
function modelTable({ models, witnesses }: Explanation): string {
  const head = ['workload', 'arm', 'base', 'waits', 'serial', 'busy', 'off, %', 'model'];
  const rows = [...byWorkload(models, ({ series }) => series)].flatMap(([workload, own]) =>
    own.map(({ series, baseMs, waits, waitsInterval, verdict }) => {
      const witness = witnesses.find((each) => isSameSeries(each.series, series));
      const off = witness?.differenceShare ?? null;
      return [
        workload,
        armName(series),
        digits(baseMs),
        spread(waits, waitsInterval),
        digits(witness?.serialReads ?? null),
        digits(witness?.busyWaits ?? null),
        off === null ? unknownText : `${off < 0 ? '' : '+'}${digits(100 * off)}`,
        verdict,
      ];
    }),
  );
  return plainTable(head, 2, rows, 1);
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

function breakEvenTable({ breakEvens }: Explanation): string {
  const rows = breakEvens.map((each) => {
    const saved = each.networkBitsPerSecond === null ? '' : digits(each.savedMs);
    return [seriesName(each.of), rateWords(each), saved, breakEvenWords(each)];
  });
  return plainTable(['hit of', 'network', 'saved, ms', 'slower'], 2, rows, 1);
}

/** Predicted times of every series on these disks, ms. */
function predictionTable(
  { predictions }: Pick<Explanation, 'predictions'>,
  disks: readonly PlannedDisk[],
): string {
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

function firstLoadTable({ firstLoads }: Explanation): string {
  const rows = firstLoads.map((load) => [
    load.storage === 'none' ? 'control' : milliseconds(load.requestedDelayMs),
    digits(load.ofMs),
    digits(load.ofDeviceReads),
    digits(load.againstMs),
    digits(load.againstDeviceReads),
    load.verdict.outcome,
  ]);
  return plainTable(['delay', 'with, ms', 'reads', 'without, ms', 'reads', 'verdict'], 1, rows);
}

function flaggedSentence({ firstLoads }: Explanation): string[] {
  const flagged = firstLoads.reduce((sum, load) => sum + load.flagged, 0);
  if (flagged === 0) return [];
  return [`${flagged} first loads are flagged and excluded (flags in samples.ndjson).`];
}

function costTable({ codingCosts }: Explanation): string {
  const rows = codingCosts.map(({ workload, coding, encodedBytes, encodeMs, decodeMs }) => {
    const bytes = encodedBytes.toLocaleString('en-US');
    return [workload, codingLabels[coding], bytes, digits(encodeMs), digits(decodeMs)];
  });
  return plainTable(['workload', 'coding', 'bytes', 'encode, ms', 'decode, ms'], 2, rows);
}

function witnessSentence({ witnesses }: Explanation): string[] {
  if (witnesses.every(({ verdict }) => verdict === 'unknown')) return [];
  return [
    'Serial: serial device reads of a traced read; busy: its time with at least one device read in flight, in units of the delay; off: difference of the waits from busy. A device that serves reads only partly in parallel is busy for longer than its serial reads take.',
  ];
}

function waitSentence({ waitModel }: Explanation): string[] {
  if (waitModel === null) return [];
  return [
    `Waits by bytes stored, over all series: ${digits(waitModel.fixedWaits)}, and one more for each ${digits(waitModel.bytesPerWait / 1024)} KiB (median error ${percent(waitModel.medianErrorShare)}).`,
  ];
}

function heldOutSentence({ heldOut }: Explanation): string[] {
  if (heldOut.medianShare === null) return [];
  return [
    `Fitted to every other delay, the model has a median error of ${percent(heldOut.medianShare)} at the remaining ones (${heldOut.points.length}).`,
  ];
}

function failures({ models }: Explanation): string[] {
  return models
    .filter(({ why }) => why !== null)
    .map(({ series, why }) => `The model fails for ${seriesName(series)}: ${why}.`);
}

/** The text of an explanation on stdout: the answer, then its evidence; 80 columns. */
export function explanationText(explanation: Explanation): string {
  const { answer, models, breakEvens, predictions, firstLoads, codingCosts } = explanation;
  return [
    'Should a browser compress a DCB response before it stores it?',
    '',
    wrap(answer.join(' '), width),
    ...(models.length === 0
      ? []
      : titled(
          'Read time = base + waits x delay of a device read (base in ms)',
          modelTable(explanation),
          ...witnessSentence(explanation),
          ...waitSentence(explanation),
          ...heldOutSentence(explanation),
          ...failures(explanation),
        )),
    ...whatIfText(explanation.whatIfs),
    ...(breakEvens.length === 0
      ? []
      : titled(
          'Break-even device latency: above it a hit is slower than a Brotli hit; with a\nnetwork rate, slower by more than the first load saved at that rate',
          breakEvenTable(explanation),
        )),
    ...(predictions.every(({ readMs }) => readMs === null)
      ? []
      : titled(
          'Predicted time of a hit on other disks, ms, on a machine like this',
          predictionTable(explanation, diskProfiles),
          'From published values of the disks; sources are in predictions.csv.',
        )),
    ...askedDisks(explanation).flatMap((disk) => ['', predictionTable(explanation, [disk])]),
    ...(firstLoads.length === 0
      ? []
      : titled(
          'First loads from the network, with a dictionary and without',
          firstLoadTable(explanation),
          ...flaggedSentence(explanation),
        )),
    ...(codingCosts.length === 0
      ? []
      : titled('Processor time of each coding (Node, one core)', costTable(explanation))),
    '',
  ].join('\n');
}
