import { existsSync, globSync } from 'node:fs';
import type { Problems } from './option-reading.ts';

/** Texts that the braces of a pattern may stand for: each is looked for. */
const maxTexts = 1000;

/** Characters of a pattern, and `*` in one name of it: the time of a match grows with the power of their number. */
const maxLength = 4096;
const maxStars = 4;

/** Why a pattern is not looked for; null: it is. */
function refusal(pattern: string): string | null {
  if (pattern.length > maxLength)
    return `a pattern has ${pattern.length} characters; write at most ${maxLength}`;
  if (/[*+?@!]\(/.test(pattern))
    return `${pattern}: groups such as +(a|b) are not read; write {a,b}`;
  if (pattern.split('/').some((name) => name.split(/\*+/).length - 1 > maxStars))
    return `${pattern}: a name in it has more than ${maxStars} *; write fewer`;
  if (textsOf(pattern) > maxTexts)
    return `${pattern}: its braces stand for more than ${maxTexts} texts; write fewer`;
  return null;
}

/** A directory, or all directories that match a pattern, sorted. */
export function directoriesOf(word: string, problems: Problems): string[] {
  if (existsSync(word)) return [word];
  const problem = refusal(word);
  if (problem !== null) {
    problems.push(problem);
    return [];
  }
  const found = globSync(word).toSorted();
  if (found.length === 0) problems.push(`${word} is no directory, and matches none`);
  return found;
}

/** At most how many texts the braces of a pattern stand for: `{a,b}` for two, `{1..9}` for nine. */
function textsOf(pattern: string): number {
  const innermost = /\{([^{}]*)\}/;
  let texts = 1;
  for (
    let rest = pattern, found;
    (found = innermost.exec(rest));
    rest = rest.replace(innermost, '')
  ) {
    const [, inside = ''] = found;
    texts *= inside.includes('..') ? rangeOf(inside) : inside.split(',').length;
  }
  return texts;
}

/** Numbers, or letters from A to z. */
const letters = 58;

function rangeOf(inside: string): number {
  const [from = Number.NaN, to = Number.NaN] = inside.split('..').map(Number);
  return Number.isNaN(to - from) ? letters : Math.abs(to - from) + 1;
}
