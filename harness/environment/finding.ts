import type { FindingStatus, MachineFinding } from '@cachescope/model/run/machine-finding.ts';

/** The result of one check. */
export type Finding = MachineFinding;

/** What a check says of the machine: a finding without the check's name and reason. */
export type Answer = Omit<Finding, 'id' | 'why'>;

/**
 * Makes answers of one status: what was found, what to do (null: nothing), and the value that a later check compares
 * with (absent: none).
 */
function answering(status: FindingStatus) {
  return (what: string, todo: string | null = null, value?: number): Answer => ({
    status,
    what,
    todo,
    ...(value !== undefined && { value }),
  });
}

/** Suitable for a measurement. */
export const ok = answering('ok');
/** Worth knowing; does not change values by itself. */
export const note = answering('note');
/** Values may be affected. */
export const warning = answering('warning');
/** Values would be wrong, or cannot be measured. */
export const refused = answering('refused');
/** This machine does not provide the information. */
export const unknown = answering('unknown');

/** An answer as a finding of the check with this name and reason. */
export function answered(
  { id, why }: Pick<Finding, 'id' | 'why'>,
  { status, what, ...rest }: Answer,
): Finding {
  return { id, status, what, why, ...rest };
}

/** The findings that a user must see: warnings and refusals. */
export function notable(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ status }) => status === 'warning' || status === 'refused');
}

/** A finding in one sentence, as in a run's warnings. */
export function findingSentence({ what, why }: Finding): string {
  return `${what}. ${why}`;
}
