/** What the evidence says about a claim. `unknown`: neither supported nor refuted. */
export type ClaimVerdict = 'supported' | 'refuted' | 'unknown';

/** One claim that a run can support or refute, with the evidence. */
export interface Claim {
  name: string;
  verdict: ClaimVerdict;
  /** A sentence with the values. */
  evidence: string;
}

/** A hypothesis about the run: supported when all its claims are, refuted when one is. */
export interface Hypothesis {
  name: string;
  verdict: ClaimVerdict;
  claims: Claim[];
}

/** Combines claims into a hypothesis. */
export function hypothesis(name: string, claims: Claim[]): Hypothesis {
  const verdicts = claims.map(({ verdict }) => verdict);
  if (verdicts.includes('refuted')) return { name, verdict: 'refuted', claims };
  const isSupported = verdicts.length > 0 && verdicts.every((each) => each === 'supported');
  return { name, verdict: isSupported ? 'supported' : 'unknown', claims };
}
