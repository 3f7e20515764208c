import type { BarsChart, ChartBar, LookName } from '@cachescope/model/page/chart.ts';
import { looks } from '@cachescope/model/page/chart.ts';
import { byteSize, digits, milliseconds } from '@cachescope/model/quantity.ts';
import type { ProfileResult } from '@cachescope/model/sweep/profile-result.ts';
import { seriesName } from '@cachescope/model/sweep/series.ts';
import { seriesLook } from '@cachescope/model/sweep/series-look.ts';
import type { ArmFit, SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { bytesCaption, deviceBytesCaption, deviceReadsCaption, tailCaption } from './captions.ts';

const kibibyteText = (kib: number): string => byteSize(kib * 1024);

/** Bytes on the wire, stored and decoded, with one bar for each series. */
export function bytesChart(summary: SweepSummary): BarsChart {
  const { fits } = summary;
  const sizes = [
    ['On the wire', ({ wireBytes }: ArmFit) => wireBytes],
    ['Stored', ({ storedBytes }: ArmFit) => storedBytes],
    ['Decoded', ({ decodedBytes }: ArmFit) => decodedBytes],
  ] as const;
  return {
    kind: 'bars',
    id: 'bytes',
    title: 'Bytes on the wire, stored and decoded (KiB)',
    caption: bytesCaption(summary),
    axis: { title: 'Size, KiB', text: kibibyteText },
    bars: fits.flatMap((fit) =>
      sizes.map(([label, bytesOf]) => ({
        label,
        series: seriesName(fit),
        look: seriesLook(fits, fit).look,
        value: kibibytes(bytesOf(fit)),
      })),
    ),
  };
}

/** What the slow disk did for a cached read. Other programs read the disk of the control, so it has no such counts. */
export function deviceCharts(summary: SweepSummary): BarsChart[] {
  const { fits } = summary;
  const barsOf = (valueOf: (fit: ArmFit) => number | null): ChartBar[] =>
    fits.map((fit) => ({
      label: seriesName(fit),
      look: seriesLook(fits, fit).look,
      value: valueOf(fit),
    }));
  return [
    {
      kind: 'bars',
      id: 'device-reads',
      title: 'Device reads for one cached read (count)',
      caption: deviceReadsCaption(summary),
      axis: { title: 'Device reads', text: digits },
      bars: barsOf(({ deviceReads }) => deviceReads),
    },
    {
      kind: 'bars',
      id: 'device-bytes',
      title: 'Bytes from the device for one cached read (KiB)',
      caption: deviceBytesCaption(summary),
      axis: { title: 'Read from the device, KiB', text: kibibyteText },
      bars: barsOf(({ deviceReadBytes }) => kibibytes(deviceReadBytes)),
    },
  ];
}

/** Median, p95, predicted p95 and p99 of the device and of each series: looks distinguish the quantiles. */
export function tailChart(profile: ProfileResult): BarsChart {
  const { name, device, reads } = profile;
  const rows = [
    { label: 'Device read', ...device },
    ...reads.map(({ tail, ...read }) => ({ ...tail, ...read, label: seriesName(read) })),
  ];
  const quantiles = [
    ['median', ({ medianMs }: (typeof rows)[number]) => medianMs],
    ['p95', ({ p95Ms }: (typeof rows)[number]) => p95Ms],
    ['p99', ({ p99Ms }: (typeof rows)[number]) => p99Ms],
  ] as const;
  const lookAt = (place: number): LookName => looks[place] ?? 'neutral';
  const predicted = reads.map((read) => ({
    label: seriesName(read),
    series: 'p95 predicted',
    look: lookAt(quantiles.length),
    value: read.predictedP95Ms,
  }));
  return {
    kind: 'bars',
    id: 'tail',
    title: `Read time with the latencies of ${name} (ms)`,
    caption: tailCaption(profile),
    axis: { title: 'Read time, ms', text: milliseconds },
    bars: [
      ...rows.flatMap((row) =>
        quantiles.map(([series, valueOf], place) => ({
          label: row.label,
          series,
          look: lookAt(place),
          value: valueOf(row),
        })),
      ),
      ...predicted,
    ],
  };
}

function kibibytes(bytes: number | null): number | null {
  return bytes === null ? null : bytes / 1024;
}
