import { settingDifferences } from '../features/differences.ts';
import { type VariantPair, variantPair } from '../features/variant-pair.ts';
import type { Settings } from '../run/variant.ts';
import { observedCache, type SideEvidence } from './evidence.ts';
import type { JudgeRun } from './run.ts';

/**
 * The two sides, and whether the candidate is shown to be in effect: a preset by its evidence, a back end by the files of
 * its cache, a binary by its bytes, a switch by its name in the browser's program.
 */
export function judgedPair({ plan, evidence }: Pick<JudgeRun, 'plan' | 'evidence'>): VariantPair {
  const [against, of] = plan.variants.map(({ name }) => name);
  const seenOf = (name: string | undefined) => evidence.filter(({ variant }) => variant === name);
  const pair = variantPair(plan, { of, against }, (name) => seenOf(name).map(observedCache));
  const [baseline, candidate] = [seenOf(against)[0], seenOf(of)[0]];
  const reasons = [
    pair.inconclusive,
    baseline && candidate
      ? notShown(plan, baseline, candidate)
      : 'the run did not look at both sides',
  ].filter((reason) => reason !== null);
  return { ...pair, inconclusive: reasons.length === 0 ? null : reasons.join(', and ') };
}

/** Why what the sides differ in is not shown to be in effect, as a clause; null: it is, or a preset's evidence decides. */
function notShown(
  { variants, settings = {} }: JudgeRun['plan'],
  baseline: SideEvidence,
  candidate: SideEvidence,
): string | null {
  const [one, other] = variants.map((variant): Settings => ({ ...settings, ...variant }));
  if (!one || !other) return 'the plan has no two sides';
  const differences = settingDifferences(one, other);
  if (differences.length === 0) return 'the two sides have the same settings';
  const { diskCache } = other;
  if (diskCache !== undefined && candidate.backEnd !== diskCache)
    return `the cache of the candidate has the files of the back end ${candidate.backEnd ?? 'unknown'}, not of ${diskCache}`;
  if (differences.includes('disk cache') && candidate.backEnd === baseline.backEnd)
    return `both sides have the back end ${candidate.backEnd ?? 'unknown'}`;
  if (differences.includes('browser') && candidate.programSha256 === baseline.programSha256)
    return 'the two browsers are the same file';
  if (candidate.unknownNames.length > 0)
    return `no string of the browser's program is ${candidate.unknownNames.join(' or ')}`;
  return null;
}
