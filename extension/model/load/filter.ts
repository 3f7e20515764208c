import { type FilterCondition, filterKeys, hasText, type Matches, urlsOf } from './filter-key.ts';
import { type FilterToken, filterTokens } from './filter-token.ts';

/** A filter that can be applied, or every reason why it cannot. */
export type Filter = { matches: Matches } | { problems: string[] };

/**
 * Parses a filter text in the grammar of DevTools' Network panel: terms separated by spaces, all of which must match. A
 * term is a text found in the URL, a /regular expression/ on the URL, a "quoted text", or `key:value` (filter-key.ts).
 * A leading minus negates the term. Case does not matter. An empty text matches everything. Terms that cannot be parsed
 * are reported, not ignored.
 */
export function parseFilter(text: string): Filter {
  const terms: { matches: Matches; isNegative: boolean }[] = [];
  const problems: string[] = [];
  for (const token of filterTokens(text)) {
    const condition = conditionOf(token);
    if ('problem' in condition) problems.push(condition.problem);
    else terms.push({ matches: condition.matches, isNegative: token.isNegative });
  }
  if (problems.length > 0) return { problems };
  return {
    matches: (row) => terms.every(({ isNegative, matches }) => matches(row) !== isNegative),
  };
}

function conditionOf(token: FilterToken): FilterCondition {
  if (token.kind === 'text') {
    return { matches: ({ resource }) => hasText(resource, token.text) };
  }
  if (token.kind === 'pattern') return patternOf(token.source);
  const key = Object.hasOwn(filterKeys, token.key) ? filterKeys[token.key] : undefined;
  if (!key) {
    return {
      problem: `There is no filter “${token.key}:”. The filters are ${Object.keys(filterKeys).join(', ')}; put a text with a colon into quotes`,
    };
  }
  if (token.value === '') return { problem: `“${token.key}:” needs ${key.values}` };
  const condition = key.read(token.value.toLowerCase());
  return 'problem' in condition ? { problem: `${token.key}: ${condition.problem}` } : condition;
}

function patternOf(source: string): FilterCondition {
  try {
    const pattern = new RegExp(source, 'i');
    return { matches: ({ resource }) => urlsOf(resource).some((url) => pattern.test(url)) };
  } catch {
    return { problem: `/${source}/ is not a regular expression` };
  }
}
