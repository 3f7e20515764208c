import type { Answer } from './answer.ts';

/** One witness's statement on the source of a response. */
export interface Reading {
  /** The answers that remain possible; null when none is excluded. */
  leaves: readonly Answer[] | null;
  /** The signal, in words: one sentence without a full stop. */
  says: string;
  /** The browser stated it directly; otherwise it is inferred from times and sizes. */
  isOutright?: boolean;
  /** The response hides its sizes and times from the page: it is cross-origin and has no Timing-Allow-Origin. */
  isHidden?: boolean;
}

/** One rule of a witness's table: evidence that meets the condition leaves these answers possible. */
export interface Rule<Evidence> extends Reading {
  when: (evidence: Evidence) => boolean;
}

/** A rule for what the browser states directly. */
export function stated<Evidence>(
  when: Rule<Evidence>['when'],
  leaves: readonly Answer[],
  says: string,
): Rule<Evidence> {
  return { when, leaves, says, isOutright: true };
}

/** A rule for what follows from times and sizes only. */
export function inferred<Evidence>(
  when: Rule<Evidence>['when'],
  leaves: readonly Answer[],
  says: string,
): Rule<Evidence> {
  return { when, leaves, says };
}

/** A rule for evidence that excludes no answer. */
export function silent<Evidence>(when: Rule<Evidence>['when'], says: string): Rule<Evidence> {
  return { when, leaves: null, says };
}

/** The reading of the first matching rule; without a match, a reading that excludes nothing. */
export function read<Evidence>(
  rules: readonly Rule<Evidence>[],
  evidence: Evidence,
  otherwise: string,
): Reading {
  return rules.find((rule) => rule.when(evidence)) ?? { leaves: null, says: otherwise };
}
