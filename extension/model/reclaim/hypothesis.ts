/** What the evidence says of a claim. `unknown`: neither is shown; it never means `supported`. */
export type ClaimVerdict = 'supported' | 'refuted' | 'unknown';

/** One thing that a run can show, with what it saw. */
export interface Claim {
  name: string;
  verdict: ClaimVerdict;
  /** A sentence with the figures. */
  evidence: string;
}

/** A hypothesis of the run: it holds when all its claims do, and falls with one of them. */
export interface Hypothesis {
  name: string;
  verdict: ClaimVerdict;
  claims: Claim[];
}

/** Puts claims together. */
export function hypothesis(name: string, claims: Claim[]): Hypothesis {
  const verdicts = claims.map(({ verdict }) => verdict);
  if (verdicts.includes('refuted')) return { name, verdict: 'refuted', claims };
  const isSupported = verdicts.length > 0 && verdicts.every((each) => each === 'supported');
  return { name, verdict: isSupported ? 'supported' : 'unknown', claims };
}
