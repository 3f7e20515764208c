import { verdictName } from '@cachescope/model/attribution/answer.ts';
import { knownSum } from '@cachescope/model/extremes.ts';
import type { AnnotatedArchive, AnnotatedEntry } from '@cachescope/model/har/annotation.ts';
import type { JudgedLimit } from '@cachescope/model/budget/budget.ts';
import {
  byteSize,
  counted,
  milliseconds,
  percent,
  unknownText,
} from '@cachescope/model/quantity.ts';
import { plainTable } from '../../results/plain-table.ts';

/** Characters of a URL that the table shows. */
const mostUrl = 120;

/** Requests and bytes of one source. */
interface SourceCount {
  source: string;
  requests: number;
  /** Bytes that crossed the network; null when those of one request are unknown. */
  transferredBytes: number | null;
}

function countsOf(rows: readonly AnnotatedEntry[]): SourceCount[] {
  const groups = Map.groupBy(rows, ({ attribution }) => verdictName(attribution));
  return [...groups]
    .map(([source, each]) => ({
      source,
      requests: each.length,
      transferredBytes: knownSum(each.map(({ resource }) => resource.transferredBytes)),
    }))
    .toSorted((one, other) => other.requests - one.requests);
}

/** The verdicts of an archive as tables, and its budgets. */
export function harText({ rows }: AnnotatedArchive, limits: readonly JudgedLimit[]): string {
  const requests = plainTable(
    ['source', 'confidence', 'transferred', 'decoded', 'time', 'URL'],
    [0, 1, 5],
    rows.map(({ resource, attribution }) => [
      verdictName(attribution),
      attribution.confidence,
      byteSize(resource.transferredBytes),
      byteSize(resource.decodedBytes),
      milliseconds(resource.durationMs),
      cut(resource.url),
    ]),
  );
  const sources = plainTable(
    ['source', 'requests', 'share', 'transferred'],
    1,
    countsOf(rows).map(({ source, requests: found, transferredBytes }) => [
      source,
      `${found}`,
      percent(found / rows.length),
      byteSize(transferredBytes),
    ]),
  );
  const budgets = limits.map((limit) => `${limit.outcome.toUpperCase()} ${limitText(limit)}`);
  return `${[requests, sources, ...(budgets.length > 0 ? [budgets.join('\n')] : [])].join('\n\n')}\n`;
}

function cut(url: string): string {
  return url.length > mostUrl ? `${url.slice(0, mostUrl)}…` : url;
}

/** A limit with what was found: `cache minShare 0.8 for /static/: 0.5 of 8 requests`. */
export function limitText(limit: JudgedLimit): string {
  const { source, allowed, requests, atLeast, atMost, matchingUrlPattern, level } = limit;
  const where = matchingUrlPattern === undefined ? '' : ` for ${matchingUrlPattern}`;
  const found =
    atMost === atLeast
      ? valueText(limit, atLeast)
      : `between ${valueText(limit, atLeast)} and ${valueText(limit, atMost)}`;
  const says = requests === 0 ? 'no request' : `${found} of ${counted(requests, 'request')}`;
  const note = level === 'warn' ? ' (a warning)' : '';
  return `${source} ${limit.limit} ${allowed}${where}: ${says}${note}`;
}

function valueText({ limit }: JudgedLimit, value: number | null): string {
  if (value === null) return unknownText;
  if (limit === 'maxTransferBytes') return byteSize(value);
  return limit.endsWith('Share') ? percent(value) : `${value}`;
}

/** The same for a program. Unknown values are null. */
export function harJson(archive: AnnotatedArchive, limits: readonly JudgedLimit[]): object {
  const rows = archive.rows.map(({ place, resource, attribution }) => {
    const { url, method, status, type, transferredBytes, decodedBytes, durationMs } = resource;
    const { confidence, reasons, candidates } = attribution;
    const source = verdictName(attribution);
    const verdict = { source, confidence, reasons, ...(candidates && { candidates }) };
    const sizes = { transferredBytes, decodedBytes, durationMs };
    return { entry: place, url, method, status, type, ...verdict, ...sizes };
  });
  const budgets = limits.length > 0 ? { budgets: limits } : {};
  return { rows, sources: countsOf(archive.rows), ...budgets, warnings: archive.notes };
}
