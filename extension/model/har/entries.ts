import { type HarEntry, harEntrySchema, type HarPage, harPageSchema, harSchema } from './schema.ts';
import { count, counted } from '../quantity.ts';
import { checked, type Parsed } from '../parsed.ts';
import type { NamedJson } from '../run/experiment.ts';

/** What can be read of an archive. */
export interface ReadArchive {
  /** Name of the program that wrote it; empty when it does not say. */
  writer: string;
  pages: HarPage[];
  entries: HarEntry[];
  leftOut: LeftOut;
}

/** Reasons that are kept: a file may be broken in a million places. */
const mostReasons = 100;

/** What of an archive cannot be used, counted and named. */
export class LeftOut {
  #count = 0;
  #named = 0;
  readonly #reasons: string[] = [];
  readonly #name: string;

  /** `name`: of the archive. */
  constructor(name: string) {
    this.#name = name;
  }

  /** The value in a list, or an empty list when there is none: then it is left out, for these reasons. */
  keep<Value>(read: Parsed<Value>): Value[] {
    if ('value' in read) return [read.value];
    this.#count++;
    if (this.#reasons.length >= mostReasons) return [];
    this.#named++;
    this.#reasons.push(...read.problems);
    return [];
  }

  get count(): number {
    return this.#count;
  }

  /** Every reason, each with its place; of a flood the first ones. */
  get problems(): string[] {
    const more = this.#count - this.#named;
    return more > 0
      ? [...this.#reasons, `${this.#name}: ${count(more)} more cannot be used.`]
      : this.#reasons;
  }

  /** How many there are, and the first of them; empty without any. */
  get sentences(): string[] {
    if (this.#count === 0) return [];
    const more = this.#count > 1 ? '; and others' : '';
    return [
      `Excluded: ${counted(this.#count, 'item')} of the archive that cannot be used (${this.#reasons[0]}${more}).`,
    ];
  }
}

/**
 * Reads an HTTP Archive, versions 1.1 and 1.2: the one importer of all that opens archives. A page or an entry that cannot
 * be used is left out; the archive is refused only when none of its entries can be.
 */
export function readArchive({ name, json }: NamedJson): Parsed<ReadArchive> {
  const har = checked(name, harSchema, json);
  if ('problems' in har) return har;
  const { creator, pages: allPages, entries: allEntries } = har.value.log;
  const leftOut = new LeftOut(name);
  const pages = (allPages ?? []).flatMap((page, index) =>
    leftOut.keep(checked(`${name}: log.pages.${index}`, harPageSchema, page)),
  );
  const entries = allEntries.flatMap((entry, index) =>
    leftOut.keep(checked(`${name}: log.entries.${index}`, harEntrySchema, entry)),
  );
  if (allEntries.length === 0 && pages.length === 0)
    return { problems: [`${name} holds no request: log.entries is empty.`, ...leftOut.problems] };
  if (allEntries.length > 0 && entries.length === 0) return { problems: leftOut.problems };
  return { value: { writer: creator?.name ?? '', pages, entries, leftOut } };
}
