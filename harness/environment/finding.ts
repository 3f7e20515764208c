import type { MachineFinding } from '@cachescope/model/run/machine-finding.ts';

/** The result of one check. */
export type Finding = MachineFinding;

/** The findings that a user must see: warnings and refusals. */
export function notable(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ status }) => status === 'warning' || status === 'refused');
}

/** A finding in one sentence, as in a run's warnings. */
export function findingSentence({ what, why }: Finding): string {
  return `${what}. ${why}`;
}
