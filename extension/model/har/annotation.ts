import { attribute } from '../attribution/cache-source.ts';
import { verdictName } from '../attribution/answer.ts';
import type { AttributedResource } from '../attribution/attributed-resource.ts';
import { least } from '../extremes.ts';
import type { Parsed } from '../parsed.ts';
import type { NamedJson } from '../run/experiment.ts';
import { readOwnArchive, resourceOf, writerWarnings } from './import.ts';
import { workerFetchStatuses } from './worker-fetch.ts';

/** An entry of an archive with its verdict. */
export interface AnnotatedEntry extends AttributedResource {
  /** Index in `log.entries`. */
  place: number;
}

/** An archive of which each entry says where its response came from. */
export interface AnnotatedArchive {
  /** The archive with `_cacheSource` and `_cacheReason` on each entry; everything else is as it was read. */
  har: { log: { entries: object[] } };
  /** The readable entries, in their order. */
  rows: AnnotatedEntry[];
  /** What the reader must know: entries that cannot be read, and a program that names no sources. */
  notes: string[];
}

const unreadable = { _cacheSource: 'unknown', _cacheReason: 'the entry cannot be read' };

/**
 * The verdict on each entry of an HTTP Archive: only an archive of Chromium's DevTools or of Cachescope has evidence.
 * An entry without evidence is `unknown`.
 */
export function annotatedArchive({ name, json }: NamedJson): Parsed<AnnotatedArchive> {
  const archive = readOwnArchive({ name, json });
  if ('problems' in archive) return archive;
  const { writer, entries, places, excluded } = archive.value;
  const statuses = workerFetchStatuses(entries);
  const begin = least(entries.map(({ startedDateTime }) => Date.parse(startedDateTime)));
  const rows = entries.map((entry, index) => {
    const resource = resourceOf(entry, begin, writer, statuses.get(entry));
    const sequenced = { ...resource, sequence: index };
    return {
      place: places[index] as number,
      resource: sequenced,
      attribution: attribute(resource.evidence),
    };
  });
  const isOwn = entries.every((entry) => entry._cachescope);
  const notes = [...(isOwn ? [] : writerWarnings(writer)), ...excluded.sentences];
  return { value: { har: annotated(json as AnnotatedArchive['har'], rows), rows, notes } };
}

function annotated(
  { log, ...rest }: AnnotatedArchive['har'],
  rows: readonly AnnotatedEntry[],
): AnnotatedArchive['har'] {
  const found = new Map(rows.map(({ place, attribution }) => [place, attribution]));
  const entries = log.entries.map((entry, place) => {
    const attribution = found.get(place);
    // An unreadable entry may be no object at all.
    if (!attribution) return Object(entry) === entry ? { ...entry, ...unreadable } : entry;
    const _cacheReason = attribution.reasons.join('; ');
    return { ...entry, _cacheSource: verdictName(attribution), _cacheReason };
  });
  return { ...rest, log: { ...log, entries } };
}
