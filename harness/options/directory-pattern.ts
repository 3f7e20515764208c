import { existsSync, globSync } from 'node:fs';
import type { Problems } from './option-reading.ts';

/** Texts that the braces of a pattern may stand for: each is looked for. */
const maxTexts = 1000;

/** A directory, or all directories that match a pattern, sorted. */
export function directoriesOf(word: string, problems: Problems): string[] {
  if (existsSync(word)) return [word];
  if (textsOf(word) > maxTexts) {
    problems.push(`${word}: its braces stand for more than ${maxTexts} texts; write fewer`);
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
