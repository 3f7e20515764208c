import { expect, test } from 'vitest';
import { asIndependent, levelled } from './as-independent.ts';
import { designOf } from './design.ts';

test('levelling takes away what a launch does to both groups, and nothing else', () => {
  const moved = levelled([[11], [111]], [[10], [110]]);
  expect(moved.of).toEqual([moved.of[0], moved.of[0]]);
  expect(moved.against).toEqual([moved.against[0], moved.against[0]]);
  expect((moved.of[0] ?? 0) - (moved.against[0] ?? 0)).toBe(1);
});

test('only paired groups are levelled', () => {
  const of = [
    { value: 11, launch: 0 },
    { value: 111, launch: 1 },
  ];
  const own = [
    { value: 10, launch: 2 },
    { value: 110, launch: 3 },
  ];
  expect(asIndependent(designOf(of, own))).toEqual({ of: [11, 111], against: [10, 110] });
  const shared = own.map(({ value, launch }) => ({ value, launch: launch - 2 }));
  expect(asIndependent(designOf(of, shared))).toEqual({ of: [61, 61], against: [60, 60] });
});
