import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import type { Problems } from '../../options/option-reading.ts';

/** What the command line says of traced reads, before it is read. */
export interface RawTraces {
  trace?: boolean | undefined;
  witness?: string | undefined;
}

/** What a sweep traces: `--witness syscalls` asks for a trace by itself. undefined: nothing. */
export function readTraces(
  { trace, witness }: RawTraces,
  problems: Problems,
): SweepPlan['traces'] | undefined {
  if (witness !== undefined && witness !== 'syscalls')
    problems.push(`--witness ${JSON.stringify(witness)} is not known; known is syscalls`);
  if (trace !== true && witness === undefined) return undefined;
  return { syscalls: witness === 'syscalls' };
}
