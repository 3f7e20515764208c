import type { Problems } from './option-reading.ts';
import { flagOf, type OptionTexts } from './option-table.ts';

/** Options that only some choices of a command use. */
export interface OptionUse {
  /** Names in code. */
  options: readonly string[];
  isUsed: boolean;
  /** What is wrong when they are typed and not used, without a full stop: `--storage none has no slow disk`. */
  otherwise: string;
}

/** Adds a problem for typed options that nothing uses: the result would name them, and they would have no effect. */
export function requireUsed(
  typed: OptionTexts,
  uses: readonly OptionUse[],
  problems: Problems,
): void {
  for (const { options, isUsed, otherwise } of uses) {
    const unused = isUsed ? [] : options.filter((name) => typed[name] !== undefined);
    if (unused.length > 0) problems.push(`${unused.map(flagOf).join(', ')}: ${otherwise}`);
  }
}
