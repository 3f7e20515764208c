import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import { fieldValue } from '@cachescope/model/load/header-fields.ts';
import type { Resource, ResourceType } from '@cachescope/model/load/load.ts';
import { unknownText } from '@cachescope/model/quantity.ts';
import type { IconName } from '../icon.ts';
import type { ColumnId } from '../panel-settings.ts';
import { narrowPx, type PanelState } from '../panel-state.ts';
import {
  durationText,
  durationTooltip,
  resourceName,
  sizeText,
  whyUnknown,
} from './resource-text.ts';
import { openQuestion, verdictIcon, verdictText } from '../run/verdict-words.ts';

/** A column of the grid. */
export interface Column {
  id: ColumnId;
  title: string;
  /** The meaning of the column, shown as the header's tooltip. */
  says: string;
  widthPx: number;
  align: 'start' | 'end';
  text: (row: AttributedResource) => string;
  /** The sort key of a row; null sorts last in either direction. */
  value: (row: AttributedResource) => number | string | null;
  /** Tooltip of a cell. */
  tooltip: (row: AttributedResource) => string;
  icon?: (row: AttributedResource) => IconName;
}

/** The icon of each resource type. */
export const typeIcons: Readonly<Record<ResourceType, IconName>> = {
  document: 'file-document',
  stylesheet: 'file-stylesheet',
  script: 'file-script',
  image: 'file-image',
  font: 'file-font',
  media: 'file-media',
  fetch: 'file-fetch-xhr',
  manifest: 'file-manifest',
  websocket: 'file-websocket',
  wasm: 'file-wasm',
  other: 'file-generic',
};

/** Created once: creating it takes longer than using it. */
const wholeBytes = new Intl.NumberFormat('en-US');

type SizeField = 'transferredBytes' | 'encodedBytes' | 'decodedBytes' | 'storedBytes';

/** A column of a value of the resource; a dash with its reason where the value is unknown. */
function factColumn(
  id: ColumnId,
  title: string,
  says: string,
  widthPx: number,
  value: Column['value'],
): Column {
  return {
    id,
    title,
    says,
    widthPx,
    align: 'start',
    text: (row) => String(value(row) ?? unknownText),
    value,
    tooltip: (row) => String(value(row) ?? whyUnknown(row, title)),
  };
}

function sizeColumn(
  id: ColumnId,
  title: string,
  says: string,
  field: SizeField,
  unknown = (row: AttributedResource) => whyUnknown(row, title),
): Column {
  return {
    ...factColumn(id, title, says, 84, ({ resource }) => resource[field]),
    align: 'end',
    text: ({ resource }) => sizeText(resource[field]),
    tooltip: (row) => {
      const bytes = row.resource[field];
      return bytes === null ? unknown(row) : `${wholeBytes.format(bytes)} bytes`;
    },
  };
}

/** A column of a text of the resource. */
function textColumn(
  id: ColumnId,
  title: string,
  says: string,
  widthPx: number,
  value: (resource: Resource) => string | null,
): Column {
  return factColumn(id, title, says, widthPx, ({ resource }) => value(resource));
}

/** A column of a field of the response. */
function headerColumn(id: ColumnId, title: string, widthPx: number): Column {
  const says = `${title} of the response; known from depth webRequest on`;
  // Empty: the response has no such field; null: its fields are unknown.
  const value = ({ responseHeaders }: Resource) =>
    responseHeaders ? (fieldValue(responseHeaders, id) ?? '') : null;
  return textColumn(id, title, says, widthPx, value);
}

function protocolOf({ evidence }: Resource): string | null {
  return evidence.page?.timing?.nextHopProtocol || evidence.debugger?.protocol || null;
}

/** The script or document that made the request, as DevTools names it; else its kind. */
function initiatorOf({ initiator, initiatorType }: Resource): string | null {
  const url = initiator?.url ?? initiator?.stack?.callFrames[0]?.url;
  return url ? resourceName(url) : (initiator?.type ?? initiatorType);
}

/** The columns of the grid. */
export const columns: readonly Column[] = [
  {
    id: 'name',
    title: 'Name',
    says: 'Last part of the URL',
    widthPx: 180,
    align: 'start',
    text: ({ resource }) => resourceName(resource.url),
    value: ({ resource }) => resourceName(resource.url).toLowerCase(),
    tooltip: ({ resource: { url, finalUrl } }) =>
      `${url.slice(0, 2000)}${finalUrl ? `\nredirected to ${finalUrl.slice(0, 2000)}` : ''}`,
    icon: ({ resource }) => typeIcons[resource.type],
  },
  factColumn(
    'status',
    'Status',
    'HTTP status as the page sees it',
    52,
    ({ resource }) => resource.status,
  ),
  {
    ...factColumn('type', 'Type', 'Resource type', 80, ({ resource }) => resource.type),
    tooltip: ({ resource }) => resource.mimeType ?? resource.type,
  },
  factColumn(
    'coding',
    'Coding',
    'Content-Encoding of the response; identity: none',
    60,
    ({ resource }) => resource.coding,
  ),
  {
    id: 'source',
    title: 'Source',
    says: 'Where the response came from',
    widthPx: 190,
    align: 'start',
    text: ({ attribution }) => verdictText(attribution),
    value: ({ attribution }) => verdictText(attribution),
    tooltip: ({ attribution }) =>
      [verdictText(attribution), openQuestion(attribution)].filter(Boolean).join('. '),
    icon: ({ attribution }) => verdictIcon(attribution),
  },
  sizeColumn(
    'transferred',
    'Transferred',
    'Bytes transferred over the network, headers included',
    'transferredBytes',
  ),
  sizeColumn('encoded', 'Encoded', 'Size of the encoded body, also for a hit', 'encodedBytes'),
  sizeColumn('decoded', 'Decoded', 'Body after content decoding', 'decodedBytes'),
  sizeColumn(
    'stored',
    'Stored',
    'Size of the entry in the cache on disk',
    'storedBytes',
    () => 'Stored size unknown: only a connected lab can read the cache',
  ),
  {
    id: 'time',
    title: 'Time',
    says: 'From the start of the request to the last byte',
    widthPx: 76,
    align: 'end',
    text: durationText,
    value: ({ resource }) => resource.durationMs,
    tooltip: durationTooltip,
  },
  textColumn('method', 'Method', 'Request method', 60, ({ method }) => method),
  textColumn('protocol', 'Protocol', 'Protocol of the response: h2, http/1.1', 64, protocolOf),
  textColumn('domain', 'Domain', 'Host of the URL', 120, ({ url }) => URL.parse(url)?.host ?? null),
  textColumn('initiator', 'Initiator', 'What made the request', 120, initiatorOf),
  textColumn('priority', 'Priority', 'Initial priority', 70, ({ priority }) => priority ?? null),
  headerColumn('cache-control', 'Cache-Control', 130),
  headerColumn('etag', 'ETag', 100),
  headerColumn('age', 'Age', 50),
  {
    id: 'waterfall',
    title: 'Waterfall',
    says: 'When each request ran; sorts by its start',
    widthPx: 160,
    align: 'start',
    text: () => '',
    value: ({ resource }) => resource.startMs,
    tooltip: () => '',
  },
];

/** While the drawer is open the grid shows only the columns that identify a row, as DevTools does. */
const besideDrawer: ReadonlySet<ColumnId> = new Set(['name', 'source', 'time']);

/** The columns are shown as far as there is room, the most important first. */
const byWorth: readonly ColumnId[] = [
  'name',
  'source',
  'time',
  'coding',
  'transferred',
  'status',
  'method',
  'protocol',
  'domain',
  'initiator',
  'priority',
  'cache-control',
  'etag',
  'age',
  'waterfall',
  'encoded',
  'stored',
  'decoded',
  'type',
];

/** Width of the scroll bar of Chromium on Linux and Windows, px. */
const scrollBarPx = 15;

/** Width of the name column in a narrow panel, px; the source column gets the rest. */
const leastNamePx = 110;
const leastSourcePx = 100;

/** The visible columns. The name column always is; the others are only if there is room. */
export function shownColumns(state: PanelState): Column[] {
  const { settings, isDrawerOpen } = state;
  const chosen = columns.filter(({ id }) => id === 'name' || !settings.hidden.includes(id));
  if (isDrawerOpen) return chosen.filter(({ id }) => besideDrawer.has(id));
  return fitting(chosen, state);
}

function fitting(chosen: readonly Column[], state: PanelState): Column[] {
  const fits = new Set<ColumnId>();
  let leftPx = state.panelPx - scrollBarPx;
  for (const id of byWorth) {
    const column = chosen.find((each) => each.id === id);
    if (!column) continue;
    // A column that the user has widened hides no other: the grid then scrolls sideways.
    const widthPx = Math.min(column.widthPx, columnPx(column, state));
    if (widthPx > leftPx) continue;
    fits.add(id);
    leftPx -= widthPx;
  }
  return chosen.filter(({ id }) => id === 'name' || fits.has(id));
}

/** Width of a column as set by the user, or its default, px. */
export function columnPx({ id, widthPx }: Column, { settings, panelPx }: PanelState): number {
  if (id === 'name' && panelPx < narrowPx) return leastNamePx;
  const ownPx = settings.widths[id] ?? widthPx;
  if (id !== 'source') return ownPx;
  return Math.min(ownPx, Math.max(leastSourcePx, panelPx - scrollBarPx - leastNamePx));
}
