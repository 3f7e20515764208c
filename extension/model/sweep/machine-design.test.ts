import { expect, test } from 'vitest';
import { readsOf } from './reads.ts';
import { halfWidth, halvingDesign, launchCosts, machineTimeOf } from './machine-design.ts';
import { madeUpMachines } from '../fixtures/made-up-machines.ts';

const now = { machines: 6, launches: 2, reads: 4 };

test('the width is that of a mean over machines: t with 3 degrees of freedom is 3.182', () => {
  const width = halfWidth(
    { machine: 1, launch: 2, read: 8 },
    { machines: 4, launches: 2, reads: 4 },
  );
  expect(width).toBeCloseTo(3.1824 * Math.sqrt((1 + (2 + 8 / 4) / 2) / 4), 4);
});

test.each([
  [
    { machine: 0.01, launch: 0.0004, read: 0.002 },
    { launchMs: 5000, roundMs: 800 },
  ],
  [
    { machine: 0, launch: 0.0025, read: 0.0025 },
    { launchMs: 5000, roundMs: 100 },
  ],
  [
    { machine: 0.0001, launch: 0, read: 0.01 },
    { launchMs: 2000, roundMs: 500 },
  ],
])('no design in reach is cheaper (%o)', (components, cost) => {
  const found = halvingDesign(components, now, cost);
  const target = halfWidth(components, now) / 2;
  expect(found && halfWidth(components, found)).toBeLessThanOrEqual(target);
  // Every design that is as good, tried one by one.
  let least = Infinity;
  for (let machines = 4; machines <= 80; machines++)
    for (let launches = 2; launches <= 50; launches++)
      for (let reads = 1; reads <= 50; reads++) {
        const design = { machines, launches, reads };
        if (halfWidth(components, design) <= target)
          least = Math.min(least, machineTimeOf(design, cost));
      }
  expect(found?.machineTimeMs).toBe(least);
});

test('what differs only between machines needs more machines, what differs between launches does not', () => {
  const cost = { launchMs: 5000, roundMs: 100 };
  const machines = halvingDesign({ machine: 1, launch: 0, read: 0 }, now, cost);
  expect(machines).toMatchObject({ launches: 2, reads: 1 });
  expect(machines?.machines).toBeGreaterThan(6);
  expect(halvingDesign({ machine: 0, launch: 0, read: 0 }, now, cost)).toBeNull();
  expect(
    halvingDesign({ machine: 1, launch: 0, read: 0 }, { ...now, machines: 400 }, cost),
  ).toBeNull();
});

test('the cost of a launch is read from the clock; equal times tell nothing', () => {
  const { samples } = madeUpMachines(4);
  expect(launchCosts(readsOf(samples).launchTimes)(1)).toBeNull();
  const timed = samples.map((sample, place) => ({
    ...sample,
    machine: 'm1',
    launch: Math.floor(place / 10),
    // A read takes 300 ms, and a launch 4 s more.
    takenAt: new Date(300 * place + 4000 * Math.floor(place / 10)).toISOString(),
  }));
  const cost = launchCosts(readsOf(timed.slice(0, 100)).launchTimes)(5);
  expect(cost?.launchMs).toBeCloseTo(4000, 6);
  expect(cost?.roundMs).toBeCloseTo(600, 6);
});
