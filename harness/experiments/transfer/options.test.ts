import { expect, test } from 'vitest';
import type { OptionTexts } from '../../options/option-table.ts';
import { transferOptions } from './options.ts';

const read = (texts: OptionTexts) => transferOptions.read(texts);

test('the defaults follow LOWTIDE: requests of 800 bytes, with 35 KB and 200 to 400 KB as sizes', () => {
  const { asked, problems } = read({});
  expect(problems).toEqual([]);
  expect(asked.plan).toMatchObject({ requestsPerCell: 8, requestBytes: 800, serverDelayMs: 0 });
  expect(asked.plan.sizesBytes).toEqual(expect.arrayContaining([35_000, 200_000, 400_000]));
  expect(asked.plan.sizesBytes[0]).toBe(1000);
  expect(asked.plan.sizesBytes.at(-1)).toBe(2_000_000);
});

test('sizes are read in steps of 1000 and sorted', () => {
  expect(read({ sizes: '2MB, 35kB,800,1.5kB' }).asked.plan.sizesBytes).toEqual([
    800, 1500, 35_000, 2_000_000,
  ]);
});

test('a size keeps its exact value, and one with a fraction of a byte is rejected', () => {
  const { asked, problems } = read({ sizes: '32.3kB,64.1kB,2.01kB' });
  expect(problems).toEqual([]);
  expect(asked.plan.sizesBytes).toEqual([2010, 32_300, 64_100]);
  expect(read({ sizes: '1.0001kB' }).problems.join()).toContain('"1.0001kB"');
});

test('all problems are reported together', () => {
  const { problems } = read({
    sizes: '1kB,0,2x,65MB',
    protocols: 'h1,h3',
    connections: 'cold,cold',
    launches: '9',
    requests: '3',
    serverDelay: '-1',
    link: '20ms,loss=100%,5g',
    initialWindow: '0',
    congestion: 'vegas!',
    origin: 'https://10.0.0.2/x',
  });
  for (const word of [
    '--sizes is "0"',
    '--sizes is "2x"',
    '--sizes is "65MB"',
    '"h3"',
    'cold,cold',
    '--launches 9',
    '--server-delay',
    '--link',
    'loss is "100%"',
    '5g',
    '--initial-window',
    '--congestion names vegas!',
    '--origin "https',
  ])
    expect(problems.join('\n')).toContain(word);
});

test('the seed is kept, and an origin is identified by its address alone', () => {
  expect(read({ seed: '7' }).asked.plan.seed).toBe(7);
  expect(read({ origin: 'http://10.0.0.2:8042/' }).asked.originUrl).toBe('http://10.0.0.2:8042');
});

test('a path for loopback, and for each link, initial window and congestion control', () => {
  const paths = (texts: OptionTexts) => read(texts).asked.plan.paths?.map(({ name }) => name);
  expect(paths({})).toEqual(['loopback', '10ms,100Mbit/s']);
  expect(paths({ link: 'none,20ms,3g', initialWindow: '10,32', congestion: 'cubic,reno' })).toEqual(
    [
      'loopback',
      '20ms',
      '20ms, reno',
      '20ms, initial window 32',
      '20ms, initial window 32, reno',
      '3g',
      '3g, reno',
      '3g, initial window 32',
      '3g, initial window 32, reno',
    ],
  );
  expect(paths({ origin: 'http://10.0.0.2:8042' })).toBeUndefined();
  expect(read({ link: 'none', initialWindow: '32' }).problems.join()).toContain('only over a link');
});
