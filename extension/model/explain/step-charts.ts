import type { BarsChart, ChartBar } from '../page/chart.ts';
import { byteSize, counted } from '../quantity.ts';
import { isRecompressed } from '../sweep/recompressed.ts';
import { armLabel, seriesAt } from '../sweep/series.ts';
import { seriesLook } from '../sweep/series-look.ts';
import type { DeviceRead } from './device-read.ts';
import { stepWords } from './hit-words.ts';
import { type HitStep, hitSteps, takenOn, type TracedRead, usableTraces } from './traced-read.ts';

/**
 * The device reads that one traced hit of each arm issued in each of its steps, and their bytes: of the first workload
 * and variant, at the largest delay. Nothing without traced reads whose device reads are known.
 */
export function stepCharts(traced: readonly TracedRead[]): BarsChart[] {
  const reads = shownTraces(traced);
  const [first] = reads;
  if (!first) return [];
  const all = reads.map(({ cell }) => seriesAt(cell));
  const by = reads.map((read) => ({
    series: armLabel(read.cell),
    look: seriesLook(all, seriesAt(read.cell)).look,
    steps: Map.groupBy(read.deviceReads ?? [], (each) => stepOf(read, each)),
  }));
  const steps = hitSteps.filter((step) => by.some((each) => each.steps.has(step)));
  if (steps.length === 0) return [];
  const bars = (valueOf: (reads: readonly DeviceRead[]) => number): ChartBar[] =>
    by.flatMap(({ series, look, steps: own }) =>
      steps.map((step) => ({
        label: stepWords[step].name,
        series,
        look,
        value: valueOf(own.get(step) ?? []),
      })),
    );
  const where =
    first.cell.storage === 'none' ? 'on the control' : `at ${first.cell.delayMs} ms of read delay`;
  const about = `One traced hit of each arm ${where}; a device read belongs to the step that issued it. ${steps.map((step) => `${stepWords[step].name}: ${stepWords[step].says}`).join('; ')}.`;
  return [
    {
      kind: 'bars',
      id: 'step-reads',
      title: 'Device reads of each step of a hit (count)',
      caption: about,
      axis: { title: 'Device reads', text: (reads) => counted(reads, 'read') },
      bars: bars((own) => own.length),
    },
    {
      kind: 'bars',
      id: 'step-bytes',
      title: 'Bytes from the device in each step of a hit (KiB)',
      caption: 'The same reads, by their bytes.',
      axis: { title: 'Read from the device, KiB', text: (kib) => byteSize(1024 * kib) },
      bars: bars((own) => own.reduce((sum, { bytes }) => sum + bytes, 0) / 1024),
    },
  ];
}

/** At the largest delay, or on the control where there is no other. */
function shownTraces(traced: readonly TracedRead[]): TracedRead[] {
  const own = tracesOfOneSide(traced).filter(({ deviceReads }) => deviceReads !== null);
  const rank = ({ cell }: TracedRead) => (cell.storage === 'none' ? -1 : cell.delayMs);
  const last = Math.max(...own.map(rank));
  return own.filter((read) => rank(read) === last);
}

/** The step during which a device read was issued; `rest` between two steps. */
function stepOf({ spans }: TracedRead, { startMs }: DeviceRead): HitStep {
  const span = spans.findLast((each) => each.startMs <= startMs && startMs < each.endMs);
  return span?.step ?? 'rest';
}

/** The usable traced hits of the first workload, variant and, in a merged run, shard: of one cache. */
export function tracesOfOneSide(traced: readonly TracedRead[]): TracedRead[] {
  const sound = usableTraces(traced);
  const [first] = sound;
  return sound.filter(
    (read) =>
      read.cell.workload === first?.cell.workload &&
      (read.cell.variant === first?.cell.variant || isRecompressed(read.cell)) &&
      takenOn(read) === (first && takenOn(first)),
  );
}
