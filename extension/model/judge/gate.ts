import type { JudgeSummary } from './summary.ts';

/** What a candidate must not do: break a further safety rule, differ from the baseline at all, or cost more. */
export const judgeGates = ['safety', 'conformance', 'cost'] as const;
export type JudgeGate = (typeof judgeGates)[number];

/** Whether a run passes a gate; `unknown`: it has no verdict. */
export function gateOutcome(
  gate: JudgeGate,
  { verdict, cost }: Pick<JudgeSummary, 'verdict' | 'cost'>,
): 'passed' | 'failed' | 'unknown' {
  if (gate === 'cost') {
    if (!cost || cost.verdict === 'NO VERDICT') return 'unknown';
    return ['COSTS MORE', 'MORE AND LESS'].includes(cost.verdict) ? 'failed' : 'passed';
  }
  if (verdict === 'NO VERDICT' || verdict === 'NOT JUDGED') return 'unknown';
  if (verdict === 'BROKEN') return 'failed';
  return verdict === 'DIFFERENT' && gate === 'conformance' ? 'failed' : 'passed';
}
