import { digits, milliseconds } from '../quantity.ts';
import type { PathVerdict, TransferCurve, WindowVerdict } from './curve.ts';
import type { TransferPath } from './path.ts';
import { transferClients as clients } from './sample.ts';
import type { PathSummary } from './path-summary.ts';
import { pathVerdictText, seriesLabel, sizeText, verdictWord, windowVerdictText } from './words.ts';

/** What the emulated links show, in sentences: where slow start begins, how well it predicts, what its settings change. */
export function pathSentences(
  planned: readonly TransferPath[],
  paths: readonly PathSummary[],
  curves: readonly TransferCurve[],
  verdicts: readonly PathVerdict[],
  windows: readonly WindowVerdict[],
): string[] {
  return planned.flatMap((path) => {
    const own = curves.filter((curve) => curve.path === path.name);
    const summary = paths.find(({ name }) => name === path.name);
    const roundTripMs = summary?.roundTrip.ms ?? null;
    return [
      ...windowSentences(windows, path.name),
      ...(roundTripMs === null ? [] : predictionSentences(path, own, roundTripMs)),
      ...unpredictedSentences(path, own),
      ...pairSentences(verdicts.filter(({ of }) => of === path.name)),
    ];
  });
}

/** Whether a response that does not fit into the initial window takes longer, on each curve of a path. */
function windowSentences(verdicts: readonly WindowVerdict[], path: string): string[] {
  const own = verdicts.filter((each) => each.path === path);
  const [first] = own;
  if (!first) return [];
  const { of, against, windowBytes } = first;
  const slower = own.filter((each) => verdictWord(each) === 'slower');
  const answer = `Over ${path}, ${sizeText(of)} is slower than ${sizeText(against)} on ${slower.length} of ${own.length} curves`;
  if (slower.length === 0) return [`${answer}.`];
  const examples = clients.flatMap((client) => slower.find((each) => each.client === client) ?? []);
  return [
    `${answer}: a second round trip, because the initial window (${sizeText(windowBytes)}) is full.`,
    ...examples.map((each) => `${seriesLabel(each)}: ${windowVerdictText(each)}`),
  ];
}

/** A time is as predicted when it is within half a round trip. */
const tolerance = 0.5;

function predictionSentences(
  path: TransferPath,
  curves: readonly TransferCurve[],
  roundTripMs: number,
): string[] {
  const errors = curves.flatMap((curve) =>
    curve.points.flatMap((point) =>
      point.medianMs === null || point.predictedMs === null
        ? []
        : [
            {
              curve,
              point,
              error: (point.medianMs - point.predictedMs) / roundTripMs,
              least: ((point.leastMs ?? 0) - point.predictedMs) / roundTripMs,
            },
          ],
    ),
  );
  const [furthest] = errors.toSorted((one, other) => Math.abs(other.error) - Math.abs(one.error));
  if (!furthest) return [];
  const near = errors.filter(({ error }) => Math.abs(error) <= tolerance).length;
  const far = errors.length - near;
  const busy = errors.filter(
    ({ error, least }) => error > tolerance && Math.abs(least) <= tolerance,
  ).length;
  const { curve, point, error } = furthest;
  const direction = error > 0 ? 'longer' : 'shorter';
  const hasPrograms = errors.every(({ point: { processingMs } }) => processingMs !== null);
  const parts = `slow start, the bytes at the link's rate${hasPrograms ? ', and the time over loopback' : ', without the time of the programs'}`;
  const held = point.heldUp.length === 0 ? '' : ` (${point.heldUp.join(', ')})`;
  return [
    `Over ${path.name} (round trip ${milliseconds(roundTripMs)}), ${near} of ${errors.length} times are within half a round trip of the prediction: ${parts}.${far === 0 ? '' : ` Of the other ${far}, the fastest request is in ${busy}: the others waited for something else, such as a processor.`} The furthest is ${sizeText(point.cell.responseBytes)} (${seriesLabel(curve)}): ${digits(Math.abs(error))} round trips ${direction}${held}.`,
  ];
}

/** The sizes without a prediction, for each reason. */
function unpredictedSentences({ name }: TransferPath, curves: readonly TransferCurve[]): string[] {
  const points = curves.flatMap((curve) =>
    curve.points.flatMap(({ cell, unpredicted }) =>
      unpredicted === null ? [] : [{ unpredicted, size: sizeText(cell.responseBytes), curve }],
    ),
  );
  return [...Map.groupBy(points, ({ unpredicted }) => unpredicted)].map(([reason, own]) => {
    const lanes = Map.groupBy(own, ({ curve }) => seriesLabel({ ...curve, path: undefined }));
    const where = [...lanes].map(
      ([lane, sizes]) => `${lane}: ${sizes.map(({ size }) => size).join(', ')}`,
    );
    return `Over ${name}, not predicted because ${reason}: ${where.join('; ')}.`;
  });
}

/** A setting against the first one, with the size that it changes most. */
function pairSentences(verdicts: readonly PathVerdict[]): string[] {
  return [...Map.groupBy(verdicts, ({ against }) => against)].flatMap(([against, own]) => {
    const decided = own.filter((each) => ['slower', 'faster'].includes(verdictWord(each)));
    const [most] = decided.toSorted(
      (one, other) =>
        Math.abs(other.comparison.difference ?? 0) - Math.abs(one.comparison.difference ?? 0),
    );
    const { of = '' } = own[0] ?? {};
    if (!most) return [`${of} against ${against}: no time differs by what this run can show.`];
    const faster = decided.filter((each) => verdictWord(each) === 'faster').length;
    return [
      `${of} against ${against}: ${faster} of ${own.length} times are faster and ${decided.length - faster} slower. Most for ${sizeText(most.responseBytes)} (${seriesLabel({ ...most, path: undefined })}): ${pathVerdictText(most)}`,
    ];
  });
}
