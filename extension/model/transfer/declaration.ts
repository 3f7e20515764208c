import { unflagged, flagTexts } from '../run/flags.ts';
import type { LinesChart, LookName } from '../page/chart.ts';
import { declared } from '../page/declared.ts';
import { fastestOf } from '../page/fastest.ts';
import { openQuestion } from '../page/open-question.ts';
import type { Page } from '../page/page.ts';
import { type SingleSeries, steadinessCharts } from '../page/steadiness.ts';
import { type Column, type Table, tableOf } from '../page/table.ts';
import { counted, digits, milliseconds } from '../quantity.ts';
import {
  curveGroup,
  isPredicted,
  type ProtocolVerdict,
  type TransferCurve,
  type TransferPoint,
  verdictOn,
} from './curve.ts';
import { savedTransfer, type TransferRunDocument } from './run.ts';
import {
  protocolLabels,
  transferCellKey,
  type TransferProtocol,
  type TransferSample,
} from './sample.ts';
import type { PathSummary } from './path-summary.ts';
import { summarizeTransfers, type TransferSummary } from './summary.ts';
import { changeLines, sizeText, verdictLine, verdictText, verdictWord } from './words.ts';

/** Small transfers: time against size, by protocol and state of the connection. */
export const transfer = declared(savedTransfer, {
  summarize: ({ run, samples }) => summarizeTransfers(run, samples),
  page,
});

function page({ run, samples }: TransferRunDocument, summary: TransferSummary): Page {
  const { plan, environment, link } = run;
  const { version } = environment.chromium;
  const { curves, finding, cannotShow } = summary;
  const groups = Map.groupBy(curves, (curve) => curveGroup(curve).id);
  return {
    title: 'Transfers: time against size',
    facts: [
      `requests of ${sizeText(plan.requestBytes)}`,
      `${plan.requestsPerCell} of each size in ${plan.launches} launches`,
      ...(plan.clients.includes('chromium') ? [version] : []),
      `Node ${environment.node}`,
      plan.paths ? plan.paths.map(({ name }) => name).join('; ') : `origin ${link.host}`,
      `${summary.counts.used} of ${counted(summary.counts.samples, 'request')} used`,
    ],
    finding,
    warnings: [
      ...flagged(summary),
      ...(summary.paths?.flatMap(({ departures }) => departures) ?? []),
      ...summary.link,
    ],
    charts: [
      ...[...groups.values()].map((own) => chart(own, unflagged(samples))),
      ...steadinessCharts(run, singleSeries(unflagged(samples)), {
        one: 'request',
        group: 'launch',
        groups: 'launches',
      }),
    ],
    sections: [
      { title: 'Each size', tables: [table(summary)] },
      ...(summary.paths ? [{ title: 'Each path', tables: [pathTable(summary.paths)] }] : []),
      { title: 'What this link cannot show', sentences: cannotShow, isDetail: true },
      {
        title: 'Verdicts, size by size',
        terms: summary.verdicts.map(verdictLine),
        isDetail: true,
      },
    ],
    conditions: [['Seed', `${plan.seed}`]],
    closing: openQuestion(
      run,
      summary.verdicts.map(({ verdict }) => verdict),
      plan,
    ),
  };
}

function flagged({ counts: { samples, used, flagged: kinds } }: TransferSummary): string[] {
  const excluded = flagTexts(kinds).join(', ');
  return excluded === ''
    ? []
    : [`${samples - used} of ${samples} requests are excluded: ${excluded}.`];
}

interface Row {
  point: TransferPoint;
  /** Its comparison with the first protocol. */
  against: ProtocolVerdict | undefined;
}

/** One line for each size, the protocols side by side. */
function table({ curves, verdicts, trust }: TransferSummary): Table {
  const points = curves.flatMap((curve) => curve.points);
  const baseline = protocolLabels[curves[0]?.protocol ?? 'h1'];
  const predictedGroups = new Set(curves.filter(isPredicted).map((each) => curveGroup(each).id));
  return tableOf<Row>({
    columns,
    rows: points.map((point) => ({ point, against: verdictOn(point.cell, verdicts) })),
    file: 'transfers.csv',
    group: ({ point }) => {
      const { id, label } = curveGroup(point.cell);
      const caption = `${label}: medians in ms with their 95 % intervals, as multiples of the round trip, and the verdict against ${baseline}. A dash means unknown.`;
      const predicted = predictedGroups.has(id) ? '; predicted' : '';
      return { title: label, brief: `${label}: ms (round trips${predicted})`, caption };
    },
    across: ({ point }) => protocolLabels[point.cell.protocol],
    ...(verdicts.length > 0 &&
      trust.inconclusive === null && { last: { title: 'fastest', text: fastest } }),
    below: (rows, form) =>
      changeLines(
        curves.filter(
          (curve) =>
            !isPredicted(curve) &&
            rows.some(({ point }) => curve.points.includes(point)) &&
            (form !== 'text' || curve.change.found === 'departs'),
        ),
      ),
  });
}

/** By the names of `--protocols`: two of the labels do not fit beside three columns of 80 characters. */
function fastest(line: readonly Row[]): string {
  return fastestOf(
    line.map(({ point }) => point.cell.protocol),
    line.flatMap(({ against }) => against ?? []),
  );
}

const columns: Column<Row>[] = [
  { key: 'path', value: ({ point }) => point.cell.path, in: ['csv'] },
  { key: 'client', value: ({ point }) => point.cell.client, in: ['csv'] },
  { key: 'protocol', value: ({ point }) => point.cell.protocol, in: ['csv'] },
  { key: 'connection', value: ({ point }) => point.cell.connection, in: ['csv'] },
  {
    key: 'response_bytes',
    title: 'Response',
    value: ({ point }) => point.cell.responseBytes,
    text: ({ point }) => sizeText(point.cell.responseBytes),
    kind: 'name',
  },
  { key: 'samples', value: ({ point }) => point.samples, in: ['csv'] },
  { key: 'flagged', value: ({ point }) => point.flagged, in: ['csv'] },
  {
    key: 'cell',
    value: ({ point }) => point.medianMs,
    text: brief,
    unknown: 'unknown',
    in: ['text'],
  },
  {
    key: 'median_ms',
    title: 'Time',
    value: ({ point }) => point.medianMs,
    unit: 'ms',
    interval: intervalOf,
    in: ['html', 'csv'],
  },
  {
    key: 'round_trips',
    title: 'Round trips',
    value: ({ point }) => point.roundTrips,
    in: ['html', 'csv'],
  },
  {
    key: 'predicted_ms',
    title: 'Predicted',
    value: ({ point }) => point.predictedMs ?? undefined,
    unit: 'ms',
    note: ({ point }) => partsText(point),
    in: ['html', 'csv'],
  },
  { key: 'network_ms', value: ({ point }) => point.networkMs ?? undefined, in: ['csv'] },
  { key: 'processing_ms', value: ({ point }) => point.processingMs ?? undefined, in: ['csv'] },
  { key: 'used', title: 'Used', value: ({ point }) => point.samples, text: usedText, in: ['html'] },
  { key: 'connect_ms', value: ({ point }) => point.connectMs, in: ['csv'] },
  { key: 'wait_ms', value: ({ point }) => point.waitMs, in: ['csv'] },
  { key: 'download_ms', value: ({ point }) => point.downloadMs, in: ['csv'] },
  { key: 'origin_ms', value: ({ point }) => point.originMs, in: ['csv'] },
  {
    key: 'verdict',
    title: 'Verdict',
    value: ({ against }) => against?.verdict.outcome,
    text: ({ against }) => (against ? verdictWord(against) : ''),
    note: ({ against }) => against && verdictText(against),
    in: ['html', 'csv'],
  },
  { key: 'difference_ms', value: ({ against }) => against?.comparison.difference, in: ['csv'] },
  { key: 'p', value: ({ against }) => against?.verdict.p, in: ['csv'] },
];

/** The round trip of each path, and how it was while the run lasted. */
function pathTable(paths: readonly PathSummary[]): Table {
  return tableOf<PathSummary>({
    columns: [
      { key: 'path', title: 'Path', value: ({ name }) => name, kind: 'name' },
      {
        key: 'round_trip_ms',
        title: 'Round trip',
        value: ({ roundTrip }) => roundTrip.ms,
        unit: 'ms',
      },
      { key: 'by', title: 'Measured by', value: ({ roundTrip }) => roundTrip.by, kind: 'word' },
      {
        key: 'off',
        title: 'Proofs off',
        brief: 'Off',
        value: ({ departures }) => departures.length,
      },
      {
        key: 'dropped_packets',
        title: 'Packets dropped',
        brief: 'Dropped',
        value: ({ drops }) => drops,
      },
    ],
    rows: paths,
    file: 'paths.csv',
    group: () => ({ title: '' }),
  });
}

function intervalOf({ point: { lowMs: low, highMs: high } }: Row) {
  return low === null || high === null ? null : { low, high };
}

function usedText({ point: { samples, flagged } }: Row): string {
  return flagged === 0 ? `${samples}` : `${samples} (${flagged} flagged)`;
}

/** The parts of a prediction, or why there is none. */
function partsText({ networkMs, processingMs, unpredicted }: TransferPoint): string | undefined {
  if (networkMs === null) return unpredicted === null ? undefined : `not predicted: ${unpredicted}`;
  const programs = processingMs === null ? 'unknown' : milliseconds(processingMs);
  return `network ${milliseconds(networkMs)}, programs (over loopback) ${programs}`;
}

/** `1.83 (12.4; 12.1)`: ms, round trips, and those predicted. */
function brief({ point: { medianMs, roundTrips, predictedMs } }: Row): string {
  const isKnown = predictedMs !== null && medianMs !== null && roundTrips !== null;
  const predicted = isKnown ? `; ${digits((predictedMs / medianMs) * roundTrips)}` : '';
  return `${digits(medianMs)} (${digits(roundTrips)}${predicted})`;
}

const looks: Readonly<Record<TransferProtocol, LookName>> = {
  h1: 'blue',
  'h1-tls': 'green',
  h2: 'orange',
};

/** Every request: a series for each protocol, over all sizes, clients, states and paths. */
function singleSeries(used: readonly TransferSample[]): SingleSeries[] {
  return [...Map.groupBy(used, ({ cell }) => cell.protocol)].map(([protocol, own]) => ({
    label: protocolLabels[protocol],
    look: looks[protocol],
    values: own.map(({ cell, launch, takenAt, totalMs: value }) => {
      return { cell: transferCellKey(cell), launch, takenAt, value };
    }),
  }));
}

/** Time against size of one client and connection state, a line for each protocol, over single requests. */
function chart(curves: readonly TransferCurve[], used: readonly TransferSample[]): LinesChart {
  const { id, label } = curveGroup(curves[0]!);
  const own = used.filter(({ cell }) => curveGroup(cell).id === id);
  const hasPrediction = curves.some(isPredicted);
  return {
    kind: 'lines',
    id: `transfer-${id}`,
    title: `${label}: time (ms) against size of the response`,
    caption: `Marks are medians, bars 95 % intervals (cut at the frame), faint marks single requests (beyond the frame, at its edge). A dashed line is ${hasPrediction ? 'the prediction: slow start, the bytes at the link’s rate, and the time over loopback' : 'the trend of the smaller sizes, where times depart from it'}. Both axes are logarithmic.`,
    x: {
      title: 'Size of the response body',
      text: sizeText,
      isLogarithmic: true,
      ticks: [100, 1e3, 1e4, 35e3, 1e5, 3e5, 1e6, 2e6, 1e7],
    },
    // Room for single requests above the medians.
    y: { title: 'Time, ms', text: milliseconds, isLogarithmic: true, headroom: 3 },
    lines: curves.map(({ protocol, points, change: { trend, found } }) => ({
      label: protocolLabels[protocol],
      look: looks[protocol],
      points: points.flatMap(({ cell, medianMs, lowMs: low, highMs: high }) =>
        medianMs === null ? [] : [{ x: cell.responseBytes, y: medianMs, low, high }],
      ),
      ...(hasPrediction
        ? {
            model: points.flatMap(({ cell: { responseBytes: x }, predictedMs: y }) =>
              y === null ? [] : [{ x, y }],
            ),
          }
        : trend !== null &&
          found === 'departs' && {
            model: points.map(({ cell: { responseBytes: x } }) => ({
              x,
              y: trend.baseMs + trend.msPerByte * x,
            })),
          }),
      single: own
        .filter(({ cell }) => cell.protocol === protocol)
        .map(({ cell, totalMs }) => ({ x: cell.responseBytes, y: totalMs })),
    })),
  };
}
