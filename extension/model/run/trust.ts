import type { RunBase } from './base.ts';
import {
  busy,
  type Grade,
  type GradedReason,
  machineReasons,
  tallyReasons,
  type TrustReason,
  unknownReason,
} from './trust-aspects.ts';
import type { Tally } from './tally.ts';

export type { Grade, TrustReason } from './trust-aspects.ts';

/** The grade of a run with its reasons. */
export interface Trust {
  /** The worst grade of its reasons; an unknown one counts as fair. */
  grade: Grade;
  /** In a fixed order. */
  reasons: TrustReason[];
  /** Why the run has no verdicts: `the machine was busy`; null: it has verdicts. */
  inconclusive: string | null;
}

/** Grades a run by its machine and its measurements; a run merged from shards by the worst of its machines. */
export function trustOf(run: RunBase, tally: Tally): Trust {
  const machines = run.merged?.shards ?? [run];
  const ofMachines = Map.groupBy(machines.flatMap(machineReasons), ({ aspect }) => aspect);
  return gradedBy([...[...ofMachines.values()].flatMap(worst), ...tallyReasons(tally)]);
}

/** Grades a run by its measurements alone: one that times nothing does not depend on how busy its machine was. */
export function trustOfTally(tally: Tally): Trust {
  return gradedBy(tallyReasons(tally));
}

/** Grades what depends on several runs by the worst of them; the grade of a run may be unknown. */
export function trustOfRuns(runs: readonly { name: string; trust: Trust | undefined }[]): Trust {
  return gradedBy(
    runs.flatMap(({ name, trust }): GradedReason[] => {
      if (!trust) return [unknownReason('trust', `the trust of ${name} is unknown`)];
      const { inconclusive, reasons } = trust;
      return reasons.map(({ text, ...reason }) => ({
        ...reason,
        text: `${name}: ${text}`,
        ...(inconclusive !== null && { cause: inconclusive }),
      }));
    }),
  );
}

function gradedBy(graded: readonly GradedReason[]): Trust {
  const [found] = worst(graded);
  const poor = graded.filter(({ grade }) => grade === 'poor');
  const causes = new Set(poor.map(({ cause = busy }) => cause));
  return {
    grade: found === undefined || found.grade === 'unknown' ? 'fair' : found.grade,
    reasons: graded.map(({ aspect, grade, text }) => ({ aspect, grade, text })),
    inconclusive: causes.size === 0 ? null : [...causes].join(', and '),
  };
}

/** By rising severity. */
const severities: readonly TrustReason['grade'][] = ['good', 'unknown', 'fair', 'poor'];

/** The worst of some reasons, alone; empty for none. */
function worst(reasons: readonly GradedReason[]): GradedReason[] {
  const severityOf = ({ grade }: GradedReason) => severities.indexOf(grade);
  return reasons.toSorted((one, other) => severityOf(other) - severityOf(one)).slice(0, 1);
}

/** The grade with the reasons for it, for people: `fair: 2 launches; drift unknown`. */
export function trustText({ grade, reasons }: Trust): string {
  const named = grade === 'poor' ? ['poor'] : ['fair', 'unknown'];
  const texts = reasons.filter((reason) => named.includes(reason.grade)).map(({ text }) => text);
  return texts.length === 0 ? grade : `${grade}: ${texts.join('; ')}`;
}

/**
 * What a run found, in sentences; of a poor run only why it has no finding, and the facts that hold on any machine, such as
 * what Chromium did with reads that fail.
 */
export function trustedFinding(
  trust: Trust,
  finding: readonly string[],
  facts: readonly string[] = [],
): string[] {
  const { inconclusive, reasons } = trust;
  if (inconclusive === null) return [...finding, ...facts];
  const texts = reasons.filter(({ grade }) => grade === 'poor').map(({ text }) => text);
  return [
    `Inconclusive: ${inconclusive} (${texts.join('; ')}). The values have no verdicts.`,
    ...facts,
  ];
}
