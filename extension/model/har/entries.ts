import { type HarEntry, harEntrySchema, type HarPage, harPageSchema, harSchema } from './schema.ts';
import { count, counted } from '../quantity.ts';
import { checked, type Parsed } from '../parsed.ts';
import type { NamedJson } from '../run/experiment.ts';

/** The readable content of an archive. */
export interface ReadArchive {
  /** Name of the program that wrote it; empty when unknown. */
  writer: string;
  pages: HarPage[];
  entries: HarEntry[];
  /** Index of each of `entries` in `log.entries`. */
  places: number[];
  excluded: ExcludedItems;
}

/** Maximum number of reasons kept: a file may have a million errors. */
const mostReasons = 100;

/** Counts and names the unusable items of an archive. */
class ExcludedItems {
  #count = 0;
  #named = 0;
  readonly #reasons: string[] = [];
  readonly #name: string;

  /** `name`: the archive's name. */
  constructor(name: string) {
    this.#name = name;
  }

  /** A list with the value; an empty list if there is none: the item is then excluded, for these reasons. */
  check<Value>(read: Parsed<Value>): Value[] {
    if ('value' in read) return [read.value];
    this.#count++;
    if (this.#reasons.length >= mostReasons) return [];
    this.#named++;
    for (const problem of read.problems) this.#reasons.push(problem);
    return [];
  }

  get count(): number {
    return this.#count;
  }

  /** Every reason, each with its location; only the first ones if there are many. */
  get problems(): string[] {
    const more = this.#count - this.#named;
    return more > 0
      ? [...this.#reasons, `${this.#name}: ${count(more)} more cannot be used.`]
      : this.#reasons;
  }

  /** The count and the first reason; empty when nothing was left out. */
  get sentences(): string[] {
    if (this.#count === 0) return [];
    const more = this.#count > 1 ? '; and others' : '';
    return [
      `Excluded: ${counted(this.#count, 'item')} of the archive that cannot be used (${this.#reasons[0]}${more}).`,
    ];
  }
}

/**
 * Reads an HTTP Archive, versions 1.1 and 1.2. All importers of archives use this function. An unusable page or entry
 * is left out; the archive is refused only when it is empty or all its entries are unusable.
 */
export function readArchive({ name, json }: NamedJson): Parsed<ReadArchive> {
  const har = checked(name, harSchema, json);
  if ('problems' in har) return har;
  const { creator, pages: allPages, entries: allEntries } = har.value.log;
  const excluded = new ExcludedItems(name);
  const pages = (allPages ?? []).flatMap((page, index) =>
    excluded.check(checked(`${name}: log.pages.${index}`, harPageSchema, page)),
  );
  const places: number[] = [];
  const entries = allEntries.flatMap((entry, index) => {
    const read = excluded.check(checked(`${name}: log.entries.${index}`, harEntrySchema, entry));
    if (read.length > 0) places.push(index);
    return read;
  });
  if (allEntries.length === 0 && pages.length === 0)
    return { problems: [`${name} holds no request: log.entries is empty.`, ...excluded.problems] };
  if (allEntries.length > 0 && entries.length === 0) return { problems: excluded.problems };
  return { value: { writer: creator?.name ?? '', pages, entries, places, excluded } };
}
