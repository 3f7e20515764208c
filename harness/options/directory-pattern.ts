import { existsSync, globSync } from 'node:fs';
import type { Problems } from './option-reading.ts';

/** A directory, or all directories that match a pattern, sorted. */
export function directoriesOf(word: string, problems: Problems): string[] {
  if (existsSync(word)) return [word];
  const found = globSync(word).toSorted();
  if (found.length === 0) problems.push(`${word} is no directory, and matches none`);
  return found;
}
