import type { Machine } from '@cachescope/model/run/machine-finding.ts';
import type { MachineLoad } from '@cachescope/model/run/machine-load.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { checkMachine } from './checks.ts';
import { type EnvironmentRule, environmentWarnings } from './environment-rule.ts';
import { findingSentence, notable } from './finding.ts';
import { type LoadRecorder, recordLoad } from './machine-load.ts';

/** The state of the machine before a run, and a way to check it again. */
export interface MachineWatch {
  rule: EnvironmentRule;
  /** Starts to record the load of the run (machine-load.ts); null under `skip`. */
  record: ((loads: MachineLoad[]) => LoadRecorder) | null;
  /** Empty under `skip`. */
  before: Machine['before'];
  /** Sentences for the run's warnings. */
  warnings: string[];
  /**
   * Checks again after the run. The sentences cover only problems that the first check did not find; undefined under
   * `skip`. Never throws: a finished run must not be lost because of its last check.
   */
  lookAgain(): Promise<{ after: Machine['before']; warnings: string[] } | undefined>;
}

/**
 * Checks the machine before a run.
 *
 * @throws CachescopeError CS_ENVIRONMENT, exit code 3, under `throw` on a machine that is not suitable.
 */
export async function watchMachine(
  rule: EnvironmentRule,
  subject: { storage: 'auto' | StorageKind; browser: string | undefined },
): Promise<MachineWatch> {
  if (rule === 'skip') {
    return {
      rule,
      record: null,
      before: [],
      warnings: [],
      lookAgain: () => Promise.resolve(undefined),
    };
  }
  const before = await checkMachine(subject);
  const known = new Set(notable(before).map(({ id }) => id));
  return {
    rule,
    record: (loads) => recordLoad(loads),
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

/** Checks again, and saves the findings and the new warnings in the run. A resumed run keeps the first check before it. */
export async function noteMachine(run: RunBase, watch: MachineWatch): Promise<void> {
  const look = await watch.lookAgain();
  if (!look) return;
  run.machine = { before: run.machine?.before ?? watch.before, after: look.after };
  run.warnings = [...new Set([...run.warnings, ...look.warnings])];
}
