import { type AttributedResource, attributeLoad } from '../attribution/attributed-resource.ts';
import { type CsvCell, type CsvColumns, csvText } from '../csv.ts';
import type { Load } from './load.ts';

const columns: CsvColumns<AttributedResource> = {
  sequence: ({ resource }) => resource.sequence,
  url: ({ resource }) => resource.url,
  method: ({ resource }) => resource.method,
  status: ({ resource }) => resource.status,
  type: ({ resource }) => resource.type,
  mime_type: ({ resource }) => resource.mimeType,
  coding: ({ resource }) => resource.coding,
  source: ({ attribution }) => attribution.source,
  detail: ({ attribution }) => attribution.detail ?? null,
  confidence: ({ attribution }) => attribution.confidence,
  transferred_bytes: ({ resource }) => resource.transferredBytes,
  encoded_bytes: ({ resource }) => resource.encodedBytes,
  decoded_bytes: ({ resource }) => resource.decodedBytes,
  stored_bytes: ({ resource }) => resource.storedBytes,
  start_ms: ({ resource }) => resource.startMs,
  response_start_ms: ({ resource }) => resource.responseStartMs,
  duration_ms: ({ resource }) => resource.durationMs,
  initiator_type: ({ resource }) => resource.initiatorType,
  context: ({ resource }) => resource.context,
  is_preload: ({ resource }) => resource.isPreload,
};

/** Titles of the columns that describe a resource. */
export const resourceTitles: readonly string[] = Object.keys(columns);

/** The cells of each resource of a load, in the order of the titles. */
export function resourceRows(load: Load): CsvCell[][] {
  return attributeLoad(load).map((row) => Object.values(columns).map((cellOf) => cellOf(row)));
}

/** A load as CSV, one line per resource. An empty cell means unknown; 0 means 0. */
export function loadCsv(load: Load): string {
  return csvText(resourceTitles, resourceRows(load));
}
