import type { BreakEven } from '../explain/break-even.ts';
import { codingLabels } from '../coding.ts';
import { type Difference, differenceTable } from '../page/differences.ts';
import { fastestOf, type Pairing } from '../page/fastest.ts';
import { openQuestion } from '../page/open-question.ts';
import type { Page, Section } from '../page/page.ts';
import { type Column, type Table, tableOf } from '../page/table.ts';
import { digits, milliseconds } from '../quantity.ts';
import { pairsAmong } from './gap-outcomes.ts';
import { lastJudged, sweepHead, whereOf } from './head.ts';
import { variantPairSentence, withheldWarnings } from '../features/variant-pair.ts';
import { isRecompressed } from './recompressed.ts';
import type { ArmFit, ArmPoint, Gap, SweepPoint } from './result.ts';
import type { SweepRun } from './run.ts';
import { type Series, sideName } from './series.ts';
import type { SweepSummary } from './summary.ts';
import { variantPairsOf } from './variant-pairs.ts';

/** A sweep for people: the fastest at each delay, the differences at the largest, and why. */
export function sweepPage(run: SweepRun, summary: SweepSummary): Page {
  const { points, breakEvens, trust } = summary;
  const last = lastJudged(points);
  const judged = points.flatMap(({ gaps }) => gaps.map(({ verdict }) => verdict));
  return {
    ...sweepHead(run, summary),
    sections: [
      { tables: [readTimes(summary, trust.inconclusive === null)] },
      ...(last ? [differences(last)] : []),
      { sentences: variantPairsOf(run).map(variantPairSentence), isDetail: true },
      { tables: [reasons(summary.fits)] },
    ],
    notes: ['A read time is the geometric mean of the launches’ medians.'],
    closing: [
      ...breakEvenLine(breakEvens),
      ...withheldWarnings(variantPairsOf(run)),
      ...openQuestion(run, judged, { launches: run.plan.launchesPerPoint }),
    ],
  };
}

function placeOf({ storage, requestedDelayMs, delayOff }: SweepPoint): string {
  const place = storage === 'none' ? 'control' : milliseconds(requestedDelayMs);
  return delayOff ? `${place} !` : place;
}

/** The cells of one point and one side, a series beside the other. */
interface ReadAt {
  place: string;
  arm: Pick<ArmPoint, 'arm' | 'variant' | 'workload' | 'medianMs' | 'lowMs' | 'highMs'>;
  gaps: readonly Gap[];
}

/** `Brotli`, `DCB rec.`: a series without its side, which has a column of its own. */
function columnName(series: Series): string {
  return `${codingLabels[series.arm]}${isRecompressed(series) ? ' rec.' : ''}`;
}

function pairingOf({ of, against, verdict }: Gap): Pairing {
  return { of: columnName(of), against: columnName(against), verdict };
}

/** Read times by delay and series, and which is the fastest. */
function readTimes({ points, profile }: SweepSummary, hasVerdicts: boolean): Table {
  const drawn = profile ? [{ place: profile.name, arms: profile.reads, gaps: profile.gaps }] : [];
  const places = [...points.map((point) => ({ ...point, place: placeOf(point) })), ...drawn];
  const rows = places.flatMap(({ place, arms, gaps }) =>
    arms.map((arm): ReadAt => ({ place, arm, gaps })),
  );
  const isCompared = hasVerdicts && rows.some(({ gaps }) => gaps.some(isBetweenArms));
  return tableOf<ReadAt>({
    columns: [
      { key: 'delay', title: 'read, ms', value: ({ place }) => place, kind: 'name' },
      {
        key: 'side',
        title: ({ arm }) => (arm.workload === undefined ? 'variant' : 'workload'),
        value: ({ arm }) => sideName(arm),
        kind: 'name',
      },
      {
        key: 'read_ms',
        title: 'read, ms',
        value: ({ arm }) => arm.medianMs,
        interval: ({ arm: { lowMs: low, highMs: high } }) =>
          low === null || high === null ? null : { low, high },
      },
    ],
    rows,
    group: (_, form) => ({
      title: form === 'text' ? '' : 'Cached read, ms, with 95 % intervals',
    }),
    below: () => offNote(points),
    across: ({ arm }) => columnName(arm),
    ...(isCompared && { last: { title: 'fastest', text: fastest } }),
    in: ['text'],
  });
}

function offNote(points: readonly SweepPoint[]): string[] {
  const off = points.filter(({ delayOff }) => delayOff).map(placeOf);
  return off.length === 0 ? [] : [`${off.join(', ')}: measured delay is outside tolerance`];
}

function isBetweenArms({ between }: Gap): boolean {
  return between === 'arms';
}

/** Among the series of one line: those of one side. */
function fastest(line: readonly ReadAt[]): string {
  const side = line[0] && sideName(line[0].arm);
  const own = (line[0]?.gaps ?? []).filter(
    (gap) => isBetweenArms(gap) && sideName(gap.of) === side && gap.ms !== null,
  );
  return fastestOf(
    line.map(({ arm }) => columnName(arm)),
    own.map(pairingOf),
  );
}

/** The differences at the largest delay, one line for each pair. */
function differences(point: SweepPoint): Section {
  const rows = pairsAmong([point]).flatMap((pair): Difference[] => {
    const gap = point.gaps.find(({ of, against }) => of === pair.of && against === pair.against);
    if (!gap) return [];
    const { ms, relative, relativeLow: low, relativeHigh: high, confidence, verdict } = gap;
    return [
      {
        name: `${briefName(gap.of)} − ${briefName(gap.against)}`,
        difference: ms,
        unit: 'ms',
        relative,
        relativeInterval: low === null || high === null ? null : { low, high },
        confidence,
        verdict,
      },
    ];
  });
  return { tables: [differenceTable(whereOf(point), rows)] };
}

function briefName(series: Series): string {
  const side = sideName(series);
  return side === undefined ? columnName(series) : `${columnName(series)} (${side})`;
}

/** What the read times follow from: stored bytes, device reads, and the time for each ms of delay. */
function reasons(fits: readonly ArmFit[]): Table {
  const columns: Column<ArmFit>[] = [
    { key: 'series', title: 'why', value: briefName, kind: 'name' },
    { key: 'wire_bytes', title: 'sent', value: ({ wireBytes }) => wireBytes, unit: 'B' },
    { key: 'stored_bytes', title: 'stored', value: ({ storedBytes }) => storedBytes, unit: 'B' },
    { key: 'device_reads', title: 'device reads', value: ({ deviceReads }) => deviceReads },
    {
      key: 'device_read_bytes',
      title: 'read',
      value: ({ deviceReadBytes }) => deviceReadBytes,
      unit: 'B',
    },
    { key: 'slope', title: 'ms for each ms', value: ({ slopeMsPerMs }) => slopeMsPerMs },
  ];
  return tableOf({ columns, rows: fits, group: () => ({ title: '' }), in: ['text'] });
}

/** `Break-even DCB = Brotli: 1.2 ms a read (0.8 to 2.9 ms)`; of several, the first that is shown; none where none is. */
function breakEvenLine(breakEvens: readonly BreakEven[]): string[] {
  const hits = breakEvens.filter(({ networkBitsPerSecond }) => networkBitsPerSecond === null);
  const shown = hits.find(({ interval }) => interval !== null);
  if (!shown?.interval) return [];
  const { of, against, delayMs, interval } = shown;
  return [
    `Break-even ${briefName(of)} = ${briefName(against)}: ${milliseconds(delayMs)} a read (${digits(interval.low)} to ${milliseconds(interval.high)})`,
  ];
}
