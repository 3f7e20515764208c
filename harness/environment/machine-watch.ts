import type { Machine } from '@cachescope/model/run/machine-finding.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { checkMachine } from './checks.ts';
import { type EnvironmentRule, environmentWarnings } from './environment-rule.ts';
import { findingSentence, notable } from './finding.ts';

/** The machine as it was before a run, and how it is looked at again. */
export interface MachineWatch {
  /** Empty under `skip`. */
  before: Machine['before'];
  /** Sentences for the run's warnings. */
  warnings: string[];
  /**
   * Looks again after the run. The sentences are of what was not so before; undefined under `skip`. Never throws: a run
   * that is over is not lost to its last check.
   */
  lookAgain(): Promise<{ after: Machine['before']; warnings: string[] } | undefined>;
}

/**
 * Looks at the machine before a run.
 *
 * @throws CachescopeError CS_ENVIRONMENT, exit code 3, under `throw` on a machine that is not fit for one.
 */
export async function watchMachine(
  rule: EnvironmentRule,
  subject: { storage: 'auto' | StorageKind; browser: string | undefined },
): Promise<MachineWatch> {
  if (rule === 'skip') {
    return { before: [], warnings: [], lookAgain: () => Promise.resolve(undefined) };
  }
  const before = await checkMachine(subject);
  const known = new Set(notable(before).map(({ id }) => id));
  return {
    before,
    warnings: environmentWarnings(rule, before),
    async lookAgain() {
      const after = await checkMachine({ ...subject, before });
      const news = notable(after).filter(({ id }) => !known.has(id));
      return {
        after,
        warnings: news.map((finding) => `After the run: ${findingSentence(finding)}`),
      };
    },
  };
}

/** Looks again, and keeps in the run what was found and what is new. */
export async function noteMachine(run: RunBase, watch: MachineWatch): Promise<void> {
  const look = await watch.lookAgain();
  if (!look) return;
  run.machine = { before: watch.before, after: look.after };
  run.warnings = [...new Set([...run.warnings, ...look.warnings])];
}
