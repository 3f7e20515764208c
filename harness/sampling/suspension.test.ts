import { expect, test } from 'vitest';
import { lookMs, type ObservedMachine, SuspensionLog, suspensionText } from './suspension.ts';

/** A machine whose clocks and processes a test sets. */
function fakeMachine() {
  const state = {
    monotonicMs: 1000,
    bootMs: 5000,
    scheduledMs: 10,
    majorFaults: 3,
    stolenMs: [0, 0],
    stalledMs: 0,
    halted: [] as { who: string; how: 'stopped' }[],
  };
  const machine: ObservedMachine = {
    monotonicMs: () => state.monotonicMs,
    bootMs: () => state.bootMs,
    scheduledMs: () => state.scheduledMs,
    majorFaults: () => state.majorFaults,
    stolenMs: () => [...state.stolenMs],
    stalledMs: () => state.stalledMs,
    findProcesses: () => undefined,
    halted: () => state.halted,
  };
  const pass = (ms: number) => {
    state.monotonicMs += ms;
    state.bootMs += ms;
  };
  return { state, pass, log: new SuspensionLog(machine) };
}

/** A watch of 10 looks, with something that happens after the fifth. */
function watched(happens: (machine: ReturnType<typeof fakeMachine>) => void): string[] {
  const machine = fakeMachine();
  const { log, pass } = machine;
  log.begin(1);
  for (let look = 0; look < 10; look++) {
    pass(lookMs);
    if (look === 5) happens(machine);
    log.look();
  }
  return log.end(1).map(suspensionText);
}

test.each([0.2, 1, 20])('a sleep of the machine of %s s: only CLOCK_BOOTTIME goes on', (s) => {
  const told = watched(({ state }) => (state.bootMs += s * 1000));
  expect(told).toEqual([`the machine was suspended for about ${s.toFixed(1)} s`]);
});

test.each([0.2, 1, 20])('a pause of %s s of a virtual machine whose clocks go on', (s) => {
  const told = watched(({ pass }) => pass(s * 1000));
  expect(told).toEqual([`Cachescope did not run for about ${s.toFixed(1)} s`]);
});

test('a thread that waited for a processor, or ran, was not suspended', () => {
  const told = watched(({ state, pass }) => {
    pass(3000);
    state.scheduledMs += 2950;
  });
  expect(told).toEqual([]);
});

test('a look that waited for its own pages is not late by that, and a longer pause is found', () => {
  const faulted = (ms: number) =>
    watched(({ state, pass }) => {
      pass(ms);
      state.majorFaults++;
    });
  expect(faulted(200)).toEqual([]);
  expect(faulted(1000)).toEqual(['Cachescope did not run for about 1.0 s']);
});

test('a processor, and memory, that were away for half of the time', () => {
  const stolen = watched(({ state }) => (state.stolenMs[1] = 260));
  expect(stolen).toEqual(['a processor was taken by the hypervisor for about 0.3 s']);
  const shared = watched(({ state }) => (state.stolenMs = [200, 200]));
  expect(shared).toEqual([]);
  const stalled = watched(({ state }) => (state.stalledMs = 400));
  expect(stalled).toEqual(['the machine had no memory to continue for about 0.4 s']);
});

test('each watch has what happened while it was open', () => {
  const { state, pass, log } = fakeMachine();
  const step = () => {
    pass(lookMs);
    log.look();
  };
  log.begin(1);
  step();
  state.halted = [{ who: 'renderer', how: 'stopped' }];
  step();
  step();
  state.halted = [];
  log.begin(2);
  step();
  expect(log.end(2)).toEqual([]);
  expect(log.end(1)).toEqual([{ who: 'renderer', how: 'stopped', ms: 2 * lookMs }]);
  expect(log.isWatching).toBe(false);
  // Between watches nothing is looked at, and the time passes unwatched.
  pass(60_000);
  log.begin(3);
  expect(log.end(3)).toEqual([]);
});
