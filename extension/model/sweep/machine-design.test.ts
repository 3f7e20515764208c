import { expect, test } from 'vitest';
import { readsOf } from './reads.ts';
import { halfWidth, halvingDesign, machineTimeOf, passCosts } from './machine-design.ts';
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
    { startsMs: 5000, roundMs: 800 },
  ],
  [
    { machine: 0, launch: 0.0025, read: 0.0025 },
    { startsMs: 5000, roundMs: 100 },
  ],
  [
    { machine: 0.0001, launch: 0, read: 0.01 },
    { startsMs: 2000, roundMs: 500 },
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
  const cost = { startsMs: 5000, roundMs: 100 };
  const machines = halvingDesign({ machine: 1, launch: 0, read: 0 }, now, cost);
  expect(machines).toMatchObject({ launches: 2, reads: 1 });
  expect(machines?.machines).toBeGreaterThan(6);
  expect(halvingDesign({ machine: 0, launch: 0, read: 0 }, now, cost)).toBeNull();
  expect(
    halvingDesign({ machine: 1, launch: 0, read: 0 }, { ...now, machines: 400 }, cost),
  ).toBeNull();
});

test('equal times tell nothing about the cost of a pass', () => {
  const { samples } = madeUpMachines(4);
  expect(passCosts(readsOf(samples).launchTimes)(now)).toBeNull();
});

test('the machine time of a run is that of all its launches', () => {
  const { samples } = madeUpMachines(4);
  // Three passes of four launches each: a read takes 300 ms, and a start 4 s more.
  const sizes = [6, 3, 18, 9, 6, 3, 18, 9, 6, 3, 18, 9];
  const launches = sizes.flatMap((size, launch) => Array.from({ length: size }, () => launch));
  const timed = launches.flatMap((launch, place) => {
    const sample = samples[place];
    const takenAt = new Date(300 * place + 4000 * launch).toISOString();
    return sample ? [{ ...sample, machine: 'm1', launch, takenAt }] : [];
  });
  const run = { machines: 1, launches: 3, reads: 3 };
  const cost = passCosts(readsOf(timed).launchTimes)(run);
  expect(cost?.startsMs).toBeCloseTo(4 * 4000, 6);
  expect(cost?.roundMs).toBeCloseTo((36 * 300) / 3, 6);
  expect(cost && machineTimeOf(run, cost)).toBeCloseTo(80_400, 6);
});
