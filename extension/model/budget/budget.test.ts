import { expect, test } from 'vitest';
import { entry, har } from '../fixtures/har.ts';
import { annotatedArchive } from '../har/annotation.ts';
import { judgedLimits, readBudget } from './budget.ts';

const served = (path: string, fromCache?: 'disk' | 'memory') =>
  entry(
    {
      request: { method: 'GET', url: `https://a.example${path}`, headers: [] },
      ...(fromCache && { _fromCache: fromCache }),
    },
    fromCache ? { _transferSize: 0, bodySize: 0 } : { _transferSize: 1000 },
  );
/** A cache that no version of DevTools names: the source is unknown. */
const untold = (path: string) =>
  entry({
    request: { method: 'GET', url: `https://a.example${path}`, headers: [] },
    _fromCache: 'attic',
  });

function judged(entries: object[], budget: object) {
  const archive = annotatedArchive({ name: 'x.har', json: har(entries) });
  const read = readBudget({ name: 'budget.json', json: budget });
  if ('problems' in archive || 'problems' in read) throw new Error('not readable');
  return judgedLimits(read.value, archive.value.rows);
}

function outcomeOf(entries: object[], source: string, limits: object) {
  const [limit] = judged(entries, { assertions: { [source]: ['error', limits] } });
  return [limit?.outcome, limit?.atLeast, limit?.atMost];
}

const two = [served('/a', 'disk'), served('/b')];

test.each([
  ['cache', { minShare: 0.5 }, ['passed', 0.5, 0.5]],
  ['cache', { minShare: 0.51 }, ['failed', 0.5, 0.5]],
  ['memory', { maxCount: 0 }, ['passed', 0, 0]],
  ['disk', { maxCount: 0 }, ['failed', 1, 1]],
  ['network', { maxTransferBytes: 999 }, ['failed', 1000, 1000]],
  ['network', { maxTransferBytes: 1000 }, ['passed', 1000, 1000]],
  ['unknown', { maxCount: 0 }, ['passed', 0, 0]],
])('%s %o', (source, limits, outcome) => {
  expect(outcomeOf(two, source, limits)).toEqual(outcome);
});

test('an unknown source fails no limit that it could keep, and passes none that it could break', () => {
  const entries = [...two, untold('/c')];
  expect(outcomeOf(entries, 'cache', { minCount: 2 })).toEqual(['undecided', 1, 2]);
  expect(outcomeOf(entries, 'cache', { maxCount: 1 })).toEqual(['undecided', 1, 2]);
  expect(outcomeOf(entries, 'cache', { minCount: 3 })).toEqual(['failed', 1, 2]);
  expect(outcomeOf(entries, 'unknown', { maxCount: 0 })).toEqual(['failed', 1, 1]);
});

test('a pattern that matches no URL decides nothing', () => {
  const assertions = { cache: ['error', { minShare: 0 }] };
  const budget = (matchingUrlPattern: string) => ({
    assertMatrix: [{ matchingUrlPattern, assertions }],
  });
  expect(judged(two, budget('/a$'))).toMatchObject([{ requests: 1, outcome: 'passed' }]);
  expect(judged(two, budget('/nowhere'))).toMatchObject([{ requests: 0, outcome: 'undecided' }]);
});

test.each([
  ['a source that does not exist', { assertions: { cloud: ['error', { maxCount: 1 }] } }, 'cloud'],
  ['a limit that does not exist', { assertions: { disk: ['error', { most: 1 }] } }, 'most'],
  ['no limit', { assertions: { disk: ['error', {}] } }, 'at least one'],
  ['a share above 1', { assertions: { disk: ['warn', { maxShare: 80 }] } }, '1'],
  ['a broken pattern', { assertMatrix: [{ matchingUrlPattern: '(', assertions: {} }] }, 'regular'],
  ['nothing', {}, 'expected assertions'],
  ['a list', [], 'expected'],
])('%s is refused', (_what, json, says) => {
  const read = readBudget({ name: 'budget.json', json });
  expect('problems' in read ? read.problems.join() : '').toContain(
    says === 'cloud' ? 'names of sources' : says,
  );
});
