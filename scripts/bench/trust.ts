import { mean } from 'simple-statistics';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import type { Reading } from '@cachescope/model/statistics/readings.ts';
import { judgedFamily } from '@cachescope/model/statistics/verdict.ts';

// A cached read beside busy loops, simulated: how much longer it takes, and how often two identical arms are called
// different. The limits of trust (extension/model/run/trust-aspects.ts) are chosen from this table.

const random = createRandom(20_261_128);
const exponential = (meanMs: number) => -meanMs * Math.log(1 - random());

const processors = 2;
/** Time that a busy loop runs before it gives way to a task that woke up, ms: the base slice of EEVDF on 2 processors. */
const sliceMs = 3;
/** A read is this many bursts of work, each of another thread, with a device read after every fourth. */
const bursts = 20;
const burstMs = 0.3;
const deviceMs = 1;

const runs = 1000;
const launches = 5;
const readsOfLaunch = 4;

/** The time of one read, ms, and of its waiting for a processor, beside loops that are spread evenly. */
function read(loops: number): { readMs: number; waitMs: number } {
  const inFront = Math.floor(loops / processors);
  let [readMs, waitMs] = [0, 0];
  for (let burst = 0; burst < bursts; burst++) {
    const ownMs = inFront > 0 ? inFront * sliceMs * random() : 0;
    waitMs += ownMs;
    readMs += ownMs + exponential(burstMs) + (burst % 4 === 3 ? deviceMs : 0);
  }
  return { readMs, waitMs };
}

/** How many loops run during each read: always as many, or in bursts of about ten reads. */
type Pattern = (loops: number) => () => number;
const steady: Pattern = (loops) => () => loops;
const inBursts: Pattern = (loops) => {
  let isOn = random() < 0.5;
  return () => {
    if (random() < 0.1) isOn = !isOn;
    return isOn ? loops : 0;
  };
};

/** Whether two identical arms, read in turn in random order in the same launches, are called different. */
function isFalse(loopsNow: () => number): boolean {
  const arms: [Reading[], Reading[]] = [[], []];
  for (let launch = 0; launch < launches; launch++)
    for (let round = 0; round < readsOfLaunch; round++) {
      const first = random() < 0.5 ? 0 : 1;
      for (const arm of [first, 1 - first])
        arms[arm as 0 | 1].push({ value: read(loopsNow()).readMs, launch });
    }
  const [judged] = judgedFamily([{ of: arms[0], against: arms[1] }], {
    better: 'lower',
    inconclusive: null,
  });
  return judged?.verdict.outcome === 'DIFFERENT';
}

/** Prints one line for each load. */
export async function measureTrust(): Promise<void> {
  const quietMs = median(Array.from({ length: 4000 }, () => read(0).readMs)) ?? Number.NaN;
  console.log(
    `${processors} processors, ${runs} runs of ${launches} launches with ${readsOfLaunch} reads of two identical arms\nloops  pattern    others' share  waiting  read time  called different`,
  );
  for (const [name, pattern] of Object.entries({ steady, 'in bursts': inBursts }))
    for (const loops of name === 'steady' ? [0, 1, 2, 4, 8] : [2, 4]) {
      const loopsNow = pattern(loops);
      const reads = Array.from({ length: 4000 }, () => {
        const now = loopsNow();
        return { ...read(now), others: Math.min(now, processors) / processors };
      });
      const waiting = mean(reads.map(({ readMs, waitMs }) => waitMs / readMs));
      const times = (median(reads.map(({ readMs }) => readMs)) ?? Number.NaN) / quietMs;
      const errors = Array.from({ length: runs }, () => isFalse(pattern(loops))).filter(Boolean);
      console.log(
        [
          `${loops}`.padStart(5),
          name.padEnd(9),
          percentText(mean(reads.map(({ others }) => others))).padStart(13),
          percentText(waiting).padStart(7),
          `x ${times.toFixed(2)}`.padStart(9),
          `${((100 * errors.length) / runs).toFixed(1)} %`.padStart(16),
        ].join('  '),
      );
    }
}

function percentText(share: number): string {
  return `${Math.round(100 * share)} %`;
}
