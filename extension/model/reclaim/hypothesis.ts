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

/** Combines claims into a hypothesis. `inconclusive`: why the run permits no verdict (run/trust.ts); null: it does. */
export function hypothesis(
  name: string,
  all: readonly Claim[],
  inconclusive: string | null,
): Hypothesis {
  const claims = inconclusive === null ? [...all] : all.map(withoutVerdict);
  const verdicts = claims.map(({ verdict }) => verdict);
  if (verdicts.includes('refuted')) return { name, verdict: 'refuted', claims };
  const isSupported = verdicts.length > 0 && verdicts.every((each) => each === 'supported');
  return { name, verdict: isSupported ? 'supported' : 'unknown', claims };
}

function withoutVerdict(claim: Claim): Claim {
  return { ...claim, verdict: 'unknown' };
}
