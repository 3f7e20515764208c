import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import { byteSize, milliseconds, unknownText } from '@cachescope/model/quantity.ts';

/** The last part of a URL including the query, as DevTools names a request; a data: or blob: URL unchanged. */
export function resourceName(url: string): string {
  const [, host = '', path = '', query = ''] =
    /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)([^?#]*)([^#]*)/i.exec(url) ?? [];
  if (host === '') return url.slice(0, mostCharacters);
  const last = /[^/]*\/?$/.exec(path)?.[0] ?? '';
  const name = (last === '/' ? '' : last) + query;
  return (name || host).slice(0, mostCharacters);
}

/** No cell is wide enough for more; a data: URL may be far longer. */
const mostCharacters = 300;

/** A size for a cell: `0 B` when nothing was transferred, a dash when unknown. */
export function sizeText(bytes: number | null): string {
  return byteSize(bytes);
}

/** From here on the milliseconds would not fit their column. */
const inSecondsMs = 10_000;

/** A duration for a cell, such as `56.2 ms` or `24.33 s`: `Pending` while the request is running, a dash when unknown. */
export function durationText({ resource }: AttributedResource): string {
  const { isRunning, durationMs } = resource;
  if (isRunning) return 'Pending';
  return durationMs !== null && durationMs >= inSecondsMs
    ? `${(durationMs / 1000).toFixed(2)} s`
    : milliseconds(durationMs);
}

/** The tooltip of a duration. */
export function durationTooltip({
  resource: { durationMs, isRunning },
}: AttributedResource): string {
  if (isRunning) return 'Not finished';
  if (durationMs === null) return 'Time unknown: no witness reported both start and end';
  return `${durationMs} ms`;
}

/** A change with its sign: `+12 ms`, `−3.4 KiB`, `0 ms`, or a dash when unknown. */
export function signed(change: number | null, text: (value: number) => string): string {
  if (change === null) return unknownText;
  if (change === 0) return text(0);
  return `${change > 0 ? '+' : '−'}${text(Math.abs(change))}`;
}

const isHidden = ({ attribution: { signals = [] } }: AttributedResource): boolean =>
  signals.some((signal) => signal.isHidden);

/** The tooltip of an unknown value: the reason why the cell shows a dash. */
export function whyUnknown(row: AttributedResource, what: string): string {
  const { source } = row.attribution;
  if (source === 'data' || source === 'blob') return `${what}: a ${source}: URL is not transferred`;
  if (isHidden(row)) return `${what} unknown: the response has no Timing-Allow-Origin`;
  return `${what} unknown: no witness reported it`;
}
