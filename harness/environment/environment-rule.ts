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
  if (refusesUnder(rule, findings)) throw refusal(findings);
  return notable(findings).map(findingSentence);
}

function refusal(findings: readonly Finding[]): CachescopeError {
  const refused = findings.filter(({ status }) => status === 'refused');
  const list = refused.map(({ what, todo }) => `\n  - ${what}${todo === null ? '' : `: ${todo}`}`);
  return new CachescopeError(
    'CS_ENVIRONMENT',
    `this machine is unfit to measure:${list.join('')}`,
    { hint: 'See npm run doctor; --env warn continues anyway.' },
  );
}
