import { expect, test } from 'vitest';
import { type QuantityRule, readQuantity } from './quantity-reading.ts';

const time = { kind: 'time', from: '0ms', to: '2h' } as const;
const size = { kind: 'size', from: '0B', to: '4GiB' } as const;
const rate = { kind: 'rate', from: '10kB/s', to: '10GB/s' } as const;
const share = { kind: 'share', from: '0%', to: '100%' } as const;

test.each<[string, QuantityRule, number]>([
  ['250ms', time, 250],
  ['0.1ms', time, 0.1],
  ['30s', time, 30_000],
  ['1.5s', time, 1500],
  ['20m', time, 1_200_000],
  ['2h', time, 7_200_000],
  ['7', { ...time, bare: 's' }, 7000],
  ['64KiB', size, 65_536],
  ['1.5MiB', size, 1_572_864],
  ['2MB', size, 2_000_000],
  ['32.3kB', size, 32_300],
  ['800', { ...size, bare: 'B' }, 800],
  ['64', { ...size, bare: 'KiB' }, 65_536],
  // As the program prints them.
  ['10 ms', time, 10],
  ['12 min', time, 720_000],
  ['1 KB', size, 1000],
  ['1,013 KiB', size, 1_037_312],
  ['20 MB/s', rate, 20e6],
  ['12.5 %', share, 0.125],
  ['20MB/s', rate, 20e6],
  ['3%', share, 0.03],
  ['0.25', { ...share, bare: '1' }, 0.25],
])('%s', (text, rule, value) => {
  expect(readQuantity(text, rule)).toEqual({ value });
});

test.each<[string, QuantityRule, RegExp]>([
  ['', time, /a time with its unit, such as 250ms, 30s or 20m, from 0ms to 2h$/],
  ['30', time, /^it must be a time/],
  ['3h', time, /from 0ms to 2h/],
  ['-1s', time, /^it must/],
  ['1e3ms', time, /^it must/],
  ['x', { ...time, bare: 'ms' }, /; a number alone is in ms$/],
  ['10constructor', time, /^it must/],
  ['10 ', { ...time, bare: 'ms' }, /^it must/],
  ['10  ms', time, /^it must/],
  ['1,0 ms', time, /^it must/],
  ['10 k', size, /^write 10kB for powers of 1000/],
  ['0.5B', size, /a size with its unit, such as 64KiB or 2MB/],
  ['10GiB', size, /from 0B to 4GiB/],
  ['10GB', size, /from 0B to 4GiB/],
  ['10kb', size, /^write 10kB for powers of 1000 or 10KiB for powers of 1024$/],
  ['2m', { ...size, bare: 'B' }, /^write 2MB .* or 2MiB/],
  ['1mb/s', rate, /^write 1MB\/s .* or 1MiB\/s/],
  ['0.03', share, /a percentage with its unit, such as 3%/],
  ['2', { ...share, bare: '1' }, /, or a share from 0 to 1$/],
])('%j is refused with the rule', (text, rule, problem) => {
  expect(readQuantity(text, rule)).toEqual({ problem: expect.stringMatching(problem) });
});
