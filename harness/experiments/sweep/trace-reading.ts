import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import type { Problems } from '../../options/option-reading.ts';

/** The unparsed options of traced reads. */
export interface RawTraces {
  trace?: boolean | undefined;
  witness?: string | undefined;
}

/** The traces of a sweep; undefined: none. `--witness syscalls` implies a trace. */
export function readTraces(
  { trace, witness }: RawTraces,
  problems: Problems,
): SweepPlan['traces'] | undefined {
  if (witness !== undefined && witness !== 'syscalls')
    problems.push(`--witness ${JSON.stringify(witness)} is not known; known is syscalls`);
  if (trace !== true && witness === undefined) return undefined;
  return { syscalls: witness === 'syscalls' };
}
