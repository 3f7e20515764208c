import { type AttributedResource, attributeLoad } from '../attribution/attributed-resource.ts';
import { type CsvCell, type CsvColumns, csvText } from '../csv.ts';
import type { Load } from './load.ts';

const columns: CsvColumns<AttributedResource> = {
  sequence: ({ resource }) => resource.sequence,
  url: ({ resource }) => resource.url,
  method: ({ resource }) => resource.method,
  status: ({ resource }) => resource.status,
  type: ({ resource }) => resource.type,
  mimeType: ({ resource }) => resource.mimeType,
  coding: ({ resource }) => resource.coding,
  source: ({ attribution }) => attribution.source,
  detail: ({ attribution }) => attribution.detail ?? null,
  confidence: ({ attribution }) => attribution.confidence,
  transferredBytes: ({ resource }) => resource.transferredBytes,
  encodedBytes: ({ resource }) => resource.encodedBytes,
  decodedBytes: ({ resource }) => resource.decodedBytes,
  storedBytes: ({ resource }) => resource.storedBytes,
  startMs: ({ resource }) => resource.startMs,
  responseStartMs: ({ resource }) => resource.responseStartMs,
  durationMs: ({ resource }) => resource.durationMs,
  initiatorType: ({ resource }) => resource.initiatorType,
  context: ({ resource }) => resource.context,
  isPreload: ({ resource }) => resource.isPreload,
};

/** Titles of the columns that describe a resource. */
export const resourceTitles: readonly string[] = Object.keys(columns);

/** The cells of each resource of a load, in the order of the titles. */
export function resourceRows(load: Load): CsvCell[][] {
  return attributeLoad(load).map((row) => Object.values(columns).map((cellOf) => cellOf(row)));
}

/** A load as CSV, one line per resource. An empty cell means unknown; 0 means 0. */
export function loadCsv(load: Load): string {
  return csvText(resourceTitles, resourceRows(load), '\r\n');
}
