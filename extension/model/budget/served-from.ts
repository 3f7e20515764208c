import { answers, cacheSources, namesOf, partsOf, verdictName } from '../attribution/answer.ts';
import { isFromCache } from '../attribution/attributed-resource.ts';
import type { Attribution } from '../run/sample.ts';

/** Names that a budget or an expectation accepts: `cache` is any cache that answered without asking the origin. */
export const sourceNames: ReadonlySet<string> = new Set(['cache', ...cacheSources, ...answers]);

/** `undecided`: the evidence leaves sources with and without the name possible. */
export type ServedFrom = 'yes' | 'no' | 'undecided';

/** Whether a verdict has one of these names. `unknown` is a name too: that of a verdict without a source. */
export function servedFrom(attribution: Attribution, names: readonly string[]): ServedFrom {
  if (names.includes('unknown') && attribution.source === 'unknown') return 'yes';
  const possible = attribution.candidates ?? certainAnswers(attribution);
  if (possible.length === 0) return names.every((name) => name === 'unknown') ? 'no' : 'undecided';
  const fitting = possible.filter((answer) => names.some((name) => isNamed(answer, name)));
  if (fitting.length === possible.length) return 'yes';
  return fitting.length === 0 ? 'no' : 'undecided';
}

/** The answers with the name of a verdict; none when it is unknown. */
function certainAnswers(attribution: Attribution): string[] {
  const name = verdictName(attribution);
  return attribution.source === 'unknown' ? [] : answers.filter((answer) => isNamed(answer, name));
}

function isNamed(answer: string, name: string): boolean {
  const found = answers.find((each) => each === answer);
  if (found === undefined) return false;
  const known = namesOf(found);
  if (name !== 'cache') return known.includes(name);
  // What speculation rules fetched came over the network for this use.
  return (
    !known.includes('network') &&
    isFromCache({ ...partsOf(found), confidence: 'certain', reasons: [] })
  );
}
