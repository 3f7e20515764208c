import type { MachineFinding } from '@cachescope/model/run/machine-finding.ts';

/** What one check found. */
export type Finding = MachineFinding;

/** The findings that a user must see: all but those in order. */
export function notable(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ status }) => status === 'warning' || status === 'refused');
}

/** A finding in one sentence, as a run's warnings keep it. */
export function findingSentence({ what, why }: Finding): string {
  return `${what}. ${why}`;
}
