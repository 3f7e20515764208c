import { expect, test } from 'vitest';
import { requireUsed } from './unused-options.ts';

test('a typed option that nothing uses is a problem; one that is not typed, or is used, is none', () => {
  const problems: string[] = [];
  const uses = [
    { options: ['hitRate', 'skew', 'population'], isUsed: false, otherwise: 'only for zipf' },
    { options: ['speed'], isUsed: true, otherwise: 'only for a replay' },
    { options: ['share'], isUsed: false, otherwise: 'only for a replay' },
  ];
  requireUsed({ hitRate: '20%', skew: '0.8', speed: '1' }, uses, problems);
  expect(problems).toEqual(['--hit-rate, --skew: only for zipf']);
});
