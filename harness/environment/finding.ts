/**
 * `ok`: as a measurement wants it; `note`: worth knowing, changes no figure by itself; `warning`: figures may suffer;
 * `refused`: figures would be wrong, or cannot be taken; `unknown`: this machine does not tell.
 */
export const findingStatuses = ['ok', 'note', 'warning', 'refused', 'unknown'] as const;
export type FindingStatus = (typeof findingStatuses)[number];

/** What one check found. */
export interface Finding {
  /** Stable name of the check, for example `governor`. */
  id: string;
  status: FindingStatus;
  /** What was found, a sentence without a full stop. */
  what: string;
  /** Why it matters for a result, a sentence. */
  why: string;
  /** What to do about it, a sentence or a command to type; null where nothing is to be done. */
  todo: string | null;
  /** The figure behind it, where a later check compares with it; absent otherwise. */
  value?: number;
}

/** The findings that a user must see: all but those in order. */
export function notable(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ status }) => status === 'warning' || status === 'refused');
}

/** A finding in one sentence, as a run's warnings keep it. */
export function findingSentence({ what, why }: Finding): string {
  return `${what}. ${why}`;
}
