import { type AttributedResource, attributeLoad } from './attributed-resource.ts';
import type { Load } from './load.ts';

/** A cell's value; null is not known, and becomes an empty cell. */
type Cell = string | number | boolean | null;

const columns: readonly (readonly [title: string, value: (row: AttributedResource) => Cell])[] = [
  ['sequence', ({ resource }) => resource.sequence],
  ['url', ({ resource }) => resource.url],
  ['method', ({ resource }) => resource.method],
  ['status', ({ resource }) => resource.status],
  ['type', ({ resource }) => resource.type],
  ['mimeType', ({ resource }) => resource.mimeType],
  ['coding', ({ resource }) => resource.coding],
  ['source', ({ attribution }) => attribution.source],
  ['detail', ({ attribution }) => attribution.detail ?? null],
  ['confidence', ({ attribution }) => attribution.confidence],
  ['transferredBytes', ({ resource }) => resource.transferredBytes],
  ['encodedBytes', ({ resource }) => resource.encodedBytes],
  ['decodedBytes', ({ resource }) => resource.decodedBytes],
  ['storedBytes', ({ resource }) => resource.storedBytes],
  ['startMs', ({ resource }) => resource.startMs],
  ['responseStartMs', ({ resource }) => resource.responseStartMs],
  ['durationMs', ({ resource }) => resource.durationMs],
  ['initiatorType', ({ resource }) => resource.initiatorType],
  ['context', ({ resource }) => resource.context],
  ['isPreload', ({ resource }) => resource.isPreload],
];

/**
 * A load as CSV (RFC 4180: CRLF, a header line, quotes where needed), a line for each resource. An empty cell is not
 * known; 0 is 0. A text that a spreadsheet would take for a formula gets an apostrophe before it.
 */
export function loadCsv(load: Load): string {
  const lines = [
    columns.map(([title]) => title),
    ...attributeLoad(load).map((row) => columns.map(([, value]) => cellText(value(row)))),
  ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

function cellText(value: Cell): string {
  if (value === null) return '';
  return typeof value === 'string' ? quoted(harmless(value)) : String(value);
}

/** A page chooses its URLs, and a spreadsheet runs what begins so (owasp.org, CSV injection). */
function harmless(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
