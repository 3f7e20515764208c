import { CachescopeError } from '../error.ts';
import { type Finding, findingSentence, notable } from './finding.ts';

/** `--env`: what happens to a run on a machine for which a check refuses or warns. */
export const environmentRules = ['throw', 'warn', 'skip'] as const;
/**
 * `throw`: a refusal ends the run before it begins; `warn`: it continues, with warnings; `skip`: nothing is checked.
 */
export type EnvironmentRule = (typeof environmentRules)[number];

/** Whether the findings end a run before it begins. */
export function refusesUnder(rule: EnvironmentRule, findings: readonly Finding[]): boolean {
  return rule === 'throw' && findings.some(({ status }) => status === 'refused');
}

/**
 * The warnings of a run on this machine, one sentence per finding; none under `skip`.
 *
 * @throws CachescopeError CS_ENVIRONMENT with every refusal, exit code 3, under `throw`.
 */
export function environmentWarnings(rule: EnvironmentRule, findings: readonly Finding[]): string[] {
  if (rule === 'skip') return [];
  if (rule === 'throw') {
    const refused = findings.filter(endsRun);
    if (refused.length > 0) throw refusal(refused);
  }
  return notable(findings).map(findingSentence);
}

/** Other work does not make a machine unfit for good, but a run that starts beside it. */
function endsRun({ id, status }: Finding): boolean {
  return status === 'refused' || (id === 'load' && status === 'warning');
}

function refusal(refused: readonly Finding[]): CachescopeError {
  const list = refused.map(({ what, todo }) => `\n  - ${what}${todo === null ? '' : `: ${todo}`}`);
  return new CachescopeError(
    'CS_ENVIRONMENT',
    `this machine is unfit to measure:${list.join('')}`,
    { hint: 'See npm run doctor; --env warn continues anyway.' },
  );
}
