import type { JudgeSummary } from './summary.ts';

/** What a candidate must not do: break a further safety rule, or differ from the baseline at all. */
export const judgeGates = ['safety', 'conformance'] as const;
export type JudgeGate = (typeof judgeGates)[number];

/** Whether a run passes a gate; `unknown`: it has no verdict. */
export function gateOutcome(
  gate: JudgeGate,
  { verdict }: Pick<JudgeSummary, 'verdict'>,
): 'passed' | 'failed' | 'unknown' {
  if (verdict === 'NO VERDICT') return 'unknown';
  if (verdict === 'BROKEN') return 'failed';
  return verdict === 'DIFFERENT' && gate === 'conformance' ? 'failed' : 'passed';
}
