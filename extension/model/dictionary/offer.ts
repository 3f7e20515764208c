import { parseDictionary, Token } from 'structured-headers';
import type { Parsed } from '../parsed.ts';
import { parsedPattern, type WebUrlPattern } from '../web-url.ts';

/** A response's offer to be used as a dictionary: the members of Use-As-Dictionary (RFC 9842 section 2.1). */
export interface DictionaryOffer {
  /** As written: its length decides between matching dictionaries. */
  match: string;
  /** `match`, resolved against the dictionary's URL. */
  pattern: WebUrlPattern;
  /** Request destinations (Fetch standard); empty: all. */
  matchDest: string[];
  /** The client sends it back in Dictionary-ID; empty: it sends nothing. */
  id: string;
}

/** Longest `id`, characters (RFC 9842 section 2.1.3). */
const longestId = 1024;

/** Request destinations of the Fetch standard; `""` is that of fetch(). */
const destinations: ReadonlySet<string> = new Set(
  `audio audioworklet document embed fencedframe font frame iframe image json manifest object paintworklet report script
  serviceworker sharedworker style text track video webidentity worker xslt`
    .split(/\s+/)
    .concat(''),
);

/** Reads Use-As-Dictionary of the response at `url`. Every reason why a browser must ignore it is a problem. */
export function dictionaryOffer(value: string, url: string): Parsed<DictionaryOffer> {
  const members = membersOf(value);
  if (!members)
    return { problems: ['Use-As-Dictionary is not a structured-field dictionary (RFC 9651)'] };
  const match = members.get('match');
  const matchDest = members.get('match-dest') ?? [];
  const id = members.get('id') ?? '';
  const type = members.get('type') ?? new Token('raw');
  const pattern = typeof match === 'string' ? parsedPattern(match, url) : null;
  const problems = [
    ...(typeof match === 'string' ? patternProblems(match, pattern) : ['it has no match']),
    ...(areTexts(matchDest)
      ? destinationProblems(matchDest)
      : ['match-dest is not a list of strings']),
    ...(typeof id === 'string' && id.length <= longestId
      ? []
      : [`id is not a string of at most ${longestId} characters`]),
    ...(type instanceof Token && type.toString() === 'raw' ? [] : ['its type is not raw']),
  ];
  if (problems.length > 0 || typeof match !== 'string' || !pattern) return { problems };
  return { value: { match, pattern, matchDest: matchDest as string[], id: id as string } };
}

/** The members with their values; an inner list is an array of its values. */
function membersOf(value: string): Map<string, unknown> | null {
  try {
    const members = Array.from(
      parseDictionary(value),
      ([name, [item]]) =>
        [name, Array.isArray(item) ? item.map(([inner]) => inner) : item] as const,
    );
    return new Map<string, unknown>(members);
  } catch {
    return null;
  }
}

/**
 * A pattern may name other origins, too: which origin a request must have is another rule (RFC 9842 sections 2.1.1 and
 * 2.2.2). Chromium does the same (SharedDictionaryStorage::MaybeCreateWriter).
 */
function patternProblems(match: string, pattern: WebUrlPattern | null): string[] {
  const written = `match ${JSON.stringify(match)}`;
  if (!pattern) return [`${written} is not a URL pattern`];
  return pattern.hasRegExpGroups ? [`${written} has regular expressions`] : [];
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function destinationProblems(matchDest: readonly string[]): string[] {
  if (matchDest.length === 0 || matchDest.some((name) => destinations.has(name))) return [];
  return [`match-dest names no known destination: ${matchDest.join(', ')}`];
}
