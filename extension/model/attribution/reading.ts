import type { Answer } from './answer.ts';

/** What one witness has to say of where a response came from. */
export interface Reading {
  /** The answers that it leaves possible; null when it excludes none. */
  leaves: readonly Answer[] | null;
  /** The signal, in words: one sentence without a full stop. */
  says: string;
  /** The browser told it outright; otherwise it is inferred from times and sizes. */
  isOutright?: boolean;
  /** The response hides its sizes and times from the page: it is cross-origin and has no Timing-Allow-Origin. */
  isHidden?: boolean;
}

/** One line of a witness's table: when the evidence looks like this, it leaves these answers. */
export interface Rule<Evidence> extends Reading {
  when: (evidence: Evidence) => boolean;
}

/** What the first rule that fits says; silence when none does. */
export function read<Evidence>(
  rules: readonly Rule<Evidence>[],
  evidence: Evidence,
  otherwise: string,
): Reading {
  return rules.find((rule) => rule.when(evidence)) ?? { leaves: null, says: otherwise };
}
