import { digits } from '@cachescope/model/quantity.ts';
import {
  curveGroups,
  type CurveGroup,
  pointsBySize,
  type ProtocolVerdict,
  type TransferCurve,
  type TransferPoint,
  verdictOn,
} from '@cachescope/model/transfer/curve.ts';
import type { TransferRun } from '@cachescope/model/transfer/run.ts';
import { protocolLabels } from '@cachescope/model/transfer/sample.ts';
import type { TransferSummary } from '@cachescope/model/transfer/summary.ts';
import {
  changeText,
  flaggedText,
  sizeText,
  trendText,
  verdictLine,
  verdictMarks,
  verdictWord,
} from '@cachescope/model/transfer/words.ts';
import { took } from '../../lab/progress.ts';
import { plainTable } from '../../results/plain-table.ts';
import { wrap } from '../../results/wrap.ts';

/** The text on stdout, for 80 columns: tables, finding, and the effects that this link cannot show. */
export function transferText(run: TransferRun, summary: TransferSummary): string {
  const { plan, environment } = run;
  const { curves, verdicts, finding, link, cannotShow } = summary;
  const chromium = plan.clients.includes('chromium') ? `${environment.chromium.version}, ` : '';
  const listed = (sentences: readonly string[]) =>
    sentences.map((sentence) => indented(sentence, '- '));
  return [
    wrap(
      `Requests of ${sizeText(plan.requestBytes)}, ${plan.requestsPerCell} for each size in ${plan.launches} launches, ${chromium}Node ${environment.node}`,
      80,
    ),
    legend(run),
    '',
    curveGroups(curves)
      .map((group) => table(group, verdicts))
      .join('\n'),
    ...listed(finding),
    '',
    ...listed(link),
    ...(cannotShow.length > 0 ? ['', 'What this link cannot show:'] : []),
    ...listed(cannotShow),
    '',
  ].join('\n');
}

/** The text of stdout, followed by the verdict of each size as a sentence. */
export function transferReport(run: TransferRun, summary: TransferSummary): string {
  const verdicts = summary.verdicts.map((each) => wrap(verdictLine(each).join('. '), 80));
  return [transferText(run, summary), 'Verdicts, size by size', '', ...verdicts, ''].join('\n');
}

/** The lines on stderr about the requests and the time. */
export function transferLines(run: TransferRun, { counts }: TransferSummary): string[] {
  const flagged = flaggedText(counts.flagged);
  const left = flagged === '' ? 'none flagged' : `flagged and excluded: ${flagged}`;
  const lines = [`Requests: ${counts.used} used of ${counts.samples}, ${left}.`];
  if (run.timeSpent) {
    const { totalMs, measuringMs } = run.timeSpent;
    const share = digits((100 * measuringMs) / totalMs);
    lines.push(`${took(totalMs, run)}, of which ${share} % inside timed requests.`);
  }
  return lines;
}

/** The legend of the marks in the tables. */
function legend({ plan }: TransferRun): string {
  const [first = 'h1', ...others] = plan.protocols;
  if (others.length === 0) return '';
  const margin = digits(100 * plan.margin);
  return `> slower than ${protocolLabels[first]}, < faster, = the same within ${margin} %, ? not known`;
}

/** One client and connection state: times, multiples of the round trip, verdicts. */
function table({ label, curves }: CurveGroup, verdicts: readonly ProtocolVerdict[]): string {
  const head = ['Response', ...curves.map(({ protocol }) => protocolLabels[protocol])];
  const rows = pointsBySize(curves).map(([bytes, points]) => [
    sizeText(bytes),
    ...points.map((point) => pointText(point, verdictOn(point.cell, verdicts))),
  ]);
  return [`${label}: ms (round trips)`, plainTable(head, 1, rows), ...changeLines(curves), ''].join(
    '\n',
  );
}

/** `1.83 (12.4) >`: ms, round trips, and a mark for the verdict against the first protocol. */
function pointText(
  { medianMs, roundTrips }: TransferPoint,
  against: ProtocolVerdict | undefined,
): string {
  if (medianMs === null) return 'unknown';
  const mark = against ? ` ${verdictMarks[verdictWord(against)]}` : '';
  return `${medianMs.toFixed(2)} (${digits(roundTrips)})${mark}`;
}

/**
 * The trend over the sizes, and where times depart from it; one line for all protocols when it is unknown for each of
 * them.
 */
function changeLines(curves: readonly TransferCurve[]): string[] {
  const [first] = curves;
  if (first && curves.every(({ change }) => change.found === 'unknown'))
    return [`  Departure from the trend ${changeText(first.change)}`];
  return curves.map(({ protocol, change }) =>
    indented(`${protocolLabels[protocol]}: ${trendText(change)}; departure ${changeText(change)}`),
  );
}

/** Text wrapped at 80 columns, with its further lines indented by two. */
function indented(text: string, mark = '  '): string {
  return mark + wrap(text, 80 - mark.length).replaceAll('\n', '\n  ');
}
