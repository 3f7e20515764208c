/** Rows of the truth table as tests: evidence as Chromium reported it, and the expected judgement of its verdict. */
import { expect, test } from 'vitest';
import type { Answer } from './answer.ts';
import { type Judgement, judge } from './judgement.ts';
import { attribute } from './cache-source.ts';
import { type Evidence, type EvidenceDepth, evidenceDepths } from './evidence.ts';

/** Each witness's evidence, in order of depth; null: it watched and saw nothing. */
export type WitnessEvidence = [
  Evidence['page'],
  Evidence['webRequest'],
  Evidence['devtools'],
  Evidence['debugger'],
];

/** The judgement at a depth uses its witness and all before it. */
export type Row = [
  situation: string,
  truth: Answer,
  evidence: WitnessEvidence,
  judgements: [Judgement, Judgement, Judgement, Judgement],
];

export const throughout = (judgement: Judgement): Row[3] => [
  judgement,
  judgement,
  judgement,
  judgement,
];
export const right = throughout('right');
export const coarseThenRight: Row[3] = ['coarse', 'coarse', 'coarse', 'right'];
export const hiddenThenRight: Row[3] = ['unknown', 'unknown', 'right', 'right'];

function depthsUpTo(depth: EvidenceDepth): readonly EvidenceDepth[] {
  return evidenceDepths.slice(0, evidenceDepths.indexOf(depth) + 1);
}

function evidenceOf(evidence: WitnessEvidence, depths: readonly EvidenceDepth[]): Evidence {
  return Object.fromEntries(
    depths.map((depth) => [depth, evidence[evidenceDepths.indexOf(depth)]]),
  );
}

/** Judges each row at every depth, and with every subset of witnesses: none may make the verdict wrong. */
export function testRows(rows: readonly Row[]): void {
  test.each([...rows])('%s', (_situation, truth, evidence, verdicts) => {
    const judged = evidenceDepths.map((depth) =>
      judge(attribute(evidenceOf(evidence, depthsUpTo(depth))), truth),
    );
    expect(judged).toEqual(verdicts);
  });

  test('no choice of witnesses makes a verdict wrong, and none of them disagrees', () => {
    for (const [situation, truth, evidence] of rows) {
      for (let choice = 0; choice < 2 ** evidenceDepths.length; choice++) {
        const depths = evidenceDepths.filter((_depth, index) => choice & (1 << index));
        const verdict = attribute(evidenceOf(evidence, depths));
        expect(judge(verdict, truth), `${situation} by ${depths.join(' + ')}`).not.toBe('wrong');
        expect(verdict.signals?.map(({ stance }) => stance)).not.toContain('disagrees');
      }
    }
  });
}
