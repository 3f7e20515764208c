import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '@cachescope/model/fixtures/property-runs.ts';
import { type Answer, answers, namesOf } from '@cachescope/model/attribution/answer.ts';
import { attribute } from '@cachescope/model/attribution/cache-source.ts';
import {
  type Evidence,
  type EvidenceDepth,
  evidenceDepths,
} from '@cachescope/model/attribution/evidence.ts';
import { judge } from '@cachescope/model/attribution/judgement.ts';
import { readRecordedEvidence, type Recorded } from './recorded-evidence.ts';

const recordedEvidence = readRecordedEvidence();

/** Every choice of the witnesses that watched. */
function choicesOf(evidence: Evidence): EvidenceDepth[][] {
  const watched = evidenceDepths.filter((depth) => evidence[depth] !== undefined);
  return Array.from({ length: 2 ** watched.length }, (_, choice) =>
    watched.filter((_depth, index) => choice & (1 << index)),
  );
}

/** The evidence of some of the witnesses. */
function told(evidence: Evidence, depths: readonly string[]): Evidence {
  const own = Object.entries(evidence).filter(
    ([name]) => name === 'scheme' || depths.includes(name),
  );
  return Object.fromEntries(own);
}

/** All answers that a verdict is true of; null when it says nothing. */
function meaning({ source, detail }: ReturnType<typeof attribute>): Answer[] | null {
  if (source === 'unknown') return null;
  const name = detail === undefined ? source : `${source}/${detail}`;
  return answers.filter((answer) => namesOf(answer).includes(name));
}

/** Each witness added leaves the verdict, makes it finer, or shows a contradiction that names two. */
function expectSharper(evidence: Evidence): void {
  for (const fewer of choicesOf(evidence))
    for (const added of evidenceDepths) {
      if (fewer.includes(added) || evidence[added] === undefined) continue;
      const before = meaning(attribute(told(evidence, fewer)));
      const verdict = attribute(told(evidence, [...fewer, added]));
      const after = meaning(verdict);
      if (before === null) continue;
      if (after === null) {
        const opposed = verdict.signals?.filter(({ stance }) => stance === 'disagrees') ?? [];
        expect(opposed.length).toBeGreaterThanOrEqual(2);
      } else expect(before).toEqual(expect.arrayContaining(after));
    }
}

/** No choice of these witnesses is wrong or shows a contradiction, and each further one only sharpens the verdict. */
function expectTrue({ evidence, truth }: Pick<Recorded, 'evidence' | 'truth'>): void {
  for (const depths of choicesOf(evidence)) {
    const verdict = attribute(told(evidence, depths));
    expect(judge(verdict, truth), depths.join(' + ')).not.toBe('wrong');
    expect(verdict.signals?.map(({ stance }) => stance)).not.toContain('disagrees');
  }
  expectSharper(evidence);
}

test.each([...Map.groupBy(recordedEvidence, ({ name }) => name)])(
  '%s: more evidence never makes it worse',
  (_name, ways) => {
    for (const recorded of ways) expectTrue(recorded);
    // Witnesses that no way to watch has at once, of runs with the same truth.
    for (const [truth, list] of Map.groupBy(ways, (each) => each.truth)) {
      const evidence: Evidence = Object.assign({}, ...list.map((each) => each.evidence));
      expectTrue({ truth, evidence });
    }
  },
);

test('even witnesses of different uses only sharpen, or contradict each other by name', () => {
  // A delivery without a request outranks every witness that reports one.
  const asked = recordedEvidence.filter(
    ({ truth }) => !['bfcache', 'data', 'blob'].includes(truth),
  );
  const use = fc.constantFrom(...asked.map(({ evidence }) => evidence));
  fc.assert(
    fc.property(use, use, use, use, (one, two, three, four) => {
      const mixed: Evidence = { scheme: 'http' };
      for (const [depth, { [depth]: said }] of [
        ['page', one],
        ['webRequest', two],
        ['devtools', three],
        ['debugger', four],
      ] as const)
        if (said !== undefined) Object.assign(mixed, { [depth]: said });
      expectSharper(mixed);
    }),
    { numRuns: propertyRuns(300) },
  );
});
