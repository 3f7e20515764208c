import { digits } from '@cachescope/model/quantity.ts';
import type { TransferCurve, TransferPoint } from '@cachescope/model/transfer/curve.ts';
import type { ProtocolVerdict } from '@cachescope/model/transfer/protocol-verdict.ts';
import {
  clientLabels,
  type ConnectionState,
  protocolLabels,
  type TransferClient,
} from '@cachescope/model/transfer/sample.ts';
import type { TransferRun } from '@cachescope/model/transfer/run.ts';
import type { TransferSummary } from '@cachescope/model/transfer/summary.ts';
import { changeText, sizeText, trendText } from '@cachescope/model/transfer/words.ts';
import { plainTable } from '../../results/plain-table.ts';
import { wrap } from '../../results/wrap.ts';

/** One table for each client and connection state: times, multiples of the round trip, verdicts. */
export function transferTables(run: TransferRun, summary: TransferSummary): string {
  const { clients, connections } = run.plan;
  return clients
    .flatMap((client) => connections.map((connection) => oneTable(summary, client, connection)))
    .join('\n');
}

function oneTable(
  { curves, verdicts }: TransferSummary,
  client: TransferClient,
  connection: ConnectionState,
): string {
  const own = curves.filter((curve) => curve.client === client && curve.connection === connection);
  const head = ['Answer', ...own.map(({ protocol }) => protocolLabels[protocol])];
  const rows = (own[0]?.points ?? []).map(({ cell }, place) => [
    sizeText(cell.responseBytes),
    ...own.map(({ points }) => cellText(points[place], verdictOf(verdicts, points[place]))),
  ]);
  return [
    `${clientLabels[client]}, ${connection} connection: ms (round trips)`,
    plainTable(head, 1, rows),
    ...changeLines(own),
    '',
  ].join('\n');
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
export function indented(text: string, mark = '  '): string {
  return mark + wrap(text, 80 - mark.length).replaceAll('\n', '\n  ');
}

function verdictOf(
  verdicts: readonly ProtocolVerdict[],
  point: TransferPoint | undefined,
): ProtocolVerdict | undefined {
  if (!point) return undefined;
  const { client, connection, protocol, responseBytes } = point.cell;
  return verdicts.find(
    (each) =>
      each.client === client &&
      each.connection === connection &&
      each.of === protocol &&
      each.responseBytes === responseBytes,
  );
}

/** `1.83 (12.4) >`: ms, round trips, and a mark for the verdict against the first protocol. */
function cellText(point: TransferPoint | undefined, against: ProtocolVerdict | undefined): string {
  if (!point || point.medianMs === null) return 'unknown';
  const mark = against ? ` ${verdictMark(against)}` : '';
  return `${point.medianMs.toFixed(2)} (${digits(point.roundTrips)})${mark}`;
}

function verdictMark({ verdict }: ProtocolVerdict): string {
  if (verdict.outcome === 'SAME') return '=';
  if (verdict.outcome === 'UNKNOWN') return '?';
  return verdict.direction === 'greater' ? '>' : '<';
}

/** The legend of the marks in the tables. */
export function legend(run: TransferRun): string {
  const [first = 'h1', ...others] = run.plan.protocols;
  if (others.length === 0) return '';
  const margin = digits(100 * run.plan.margin);
  return `> slower than ${protocolLabels[first]}, < faster, = the same within ${margin} %, ? not known`;
}
