import { expect, test } from 'vitest';
import { fillOptions } from '../experiments/fill/options.ts';
import { explainOptions } from '../experiments/explain/options.ts';
import { pageloadOptions } from '../experiments/pageload/options.ts';
import { sweepOptions } from '../experiments/sweep/options.ts';
import { transferOptions } from '../experiments/transfer/options.ts';

const experiments = [
  ['sweep', sweepOptions, { firstLoads: true }],
  ['explain', explainOptions, {}],
  ['pageload', pageloadOptions, { sample: 'news' }],
  ['fill', fillOptions, {}],
  ['transfer', transferOptions, {}],
] as const;

test.each(experiments)(
  '%s takes a link, and refuses bad ones with all problems',
  (_name, options, rest) => {
    const read = (link: string) => options.read({ ...rest, link });
    expect(read('20ms,50Mbit/s').problems).toEqual([]);
    const { problems } = read('-20ms,rate=0bit/s,loss=100%,queue=1B,5g');
    expect(problems.join('\n')).toMatch(/-20ms/);
    for (const link of [
      '-20ms',
      '0',
      '20ms,rate=0Mbit/s',
      '20ms,loss=100%',
      '5g',
      'none,5ms,5ms',
      '20ms,speed=3',
    ])
      expect(read(link).problems.length, link).toBeGreaterThan(0);
    const all = read('20ms,rate=0bit/s,loss=100%,speed=3').problems;
    expect(all.map((problem) => /: (rate|loss|speed)\b/.exec(problem)?.[1])).toEqual([
      'rate',
      'loss',
      'speed',
    ]);
  },
);

test('a run has one link; transfer compares several', () => {
  expect(pageloadOptions.read({ sample: 'news', link: '20ms,5ms' }).problems).toHaveLength(1);
  expect(pageloadOptions.read({ sample: 'news', link: 'none' }).asked.plan.link).toBeUndefined();
  expect(transferOptions.read({ link: '20ms,5ms' }).problems).toEqual([]);
  expect(sweepOptions.read({ link: '20ms' }).problems).toEqual(['--link: only with --first-loads']);
});
