import type { ChartStrip } from '../page/chart.ts';
import { digits, milliseconds } from '../quantity.ts';
import type { RunBase } from './base.ts';

/**
 * What the machine did over a run, for below a chart over time, and a sentence about it; none where nothing was recorded.
 *
 * @param at the place of a time (ms since 1970) on the horizontal axis.
 */
export function machineStrips(
  { machineLoad = [], proofs }: RunBase,
  at: (timeMs: number) => number,
): { strips: ChartStrip[]; about: string } {
  const load = machineLoad.flatMap(({ startedAt, spanMs, othersShare }) =>
    othersShare === null
      ? []
      : [{ x: at(Date.parse(startedAt) + spanMs / 2), y: 100 * othersShare }],
  );
  const delays = proofs.map(({ takenAt, p50Ms, requestedDelayMs }) => ({
    x: at(Date.parse(takenAt)),
    y: p50Ms - requestedDelayMs,
  }));
  const look = { look: 'neutral' } as const;
  const strips = [
    {
      about: 'the share of the processors that other programs used',
      y: { title: 'Others, %', text: (share: number) => `${digits(share)} %` },
      line: { ...look, label: 'other programs', points: load },
    },
    {
      about: 'how far each delay proof was from the requested delay',
      y: { title: 'Delay, ± ms', text: milliseconds, isDifference: true },
      line: {
        ...look,
        label: 'measured − requested delay',
        form: 'marks' as const,
        points: delays,
      },
    },
  ].filter(({ line }) => line.points.length > 0);
  const about = strips.map((strip) => strip.about).join('; ');
  return {
    strips: strips.map(({ y, line }) => ({ y, lines: [line] })),
    about: about === '' ? '' : ` Beneath: ${about}.`,
  };
}
