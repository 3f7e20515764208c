/** One term of a filter text. All terms of a text must hold. */
export type FilterToken = { isNegative: boolean } & (
  | { kind: 'text'; text: string }
  | { kind: 'pattern'; source: string }
  | { kind: 'key'; key: string; value: string }
);

/** One term: an optional minus, then a /pattern/, a "quoted text", or anything up to the next space. */
const term = /(-?)(?:\/((?:\\.|[^/\\])+)\/(?=\s|$)|"([^"]*)"|(\S+))/gu;
const keyed = /^([\w-]+):(.*)$/su;

/** Splits a filter text into its terms, as DevTools does. Quotes keep spaces and colons in a text together. */
export function filterTokens(text: string): FilterToken[] {
  return [...text.matchAll(term)].flatMap(([, minus, source, quoted, word = '']) => {
    const isNegative = minus === '-';
    if (source !== undefined) return [{ kind: 'pattern', isNegative, source } as const];
    if (quoted !== undefined) return quoted === '' ? [] : [textToken(quoted, isNegative)];
    const [, key = '', value = ''] = keyed.exec(word) ?? [];
    // A pasted URL is a text: its scheme is not a key.
    if (key === '' || value.startsWith('//')) return [textToken(word, isNegative)];
    return [{ kind: 'key', isNegative, key: key.toLowerCase(), value } as const];
  });
}

function textToken(text: string, isNegative: boolean): FilterToken {
  return { kind: 'text', isNegative, text: text.toLowerCase() };
}
