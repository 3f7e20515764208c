import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { describe, expect, test, vi } from 'vitest';
import { argumentsOf, runningPids } from '../../harness/processes.ts';
import {
  base,
  cachescope,
  expectNothingLeft,
  linesOf,
  processesOfThisTest,
  start,
  type Started,
} from '../command-under-test.ts';
import { hangLimitMs } from '../hang-limit.ts';
import { linkLacking } from '../link-need.ts';

/** More kills, at other moments: CACHESCOPE_KILLS=50 CACHESCOPE_KILL_SEED=7 */
const kills = Number(process.env['CACHESCOPE_KILLS'] ?? 9);
const random = createRandom(Number(process.env['CACHESCOPE_KILL_SEED'] ?? 2026));
const signals = ['SIGKILL', 'SIGINT', 'SIGTERM'] as const;
const plan = '--link 5ms --sizes 1kB --protocols h1 --connections cold --requests 2 --launches 2';

/** The namespace, the devices and the processes of a program's link. */
function linkOf({ child: { pid } }: Started): string[] {
  const name = `cachescope-${pid}`;
  const processes = runningPids().filter((each) => argumentsOf(each).includes(name));
  return [
    ...(existsSync(`/run/netns/${name}`) ? [name] : []),
    ...readdirSync('/sys/class/net').filter((device) => device === `cachescope${pid}`.slice(-15)),
    ...processes.map((each) => `process ${each}: ${argumentsOf(each).join(' ')}`),
  ];
}

let runs = 0;
const begun = () => {
  const out = join(base, `run-${runs++}`);
  return { out, run: start(['transfer', ...plan.split(' '), '--env', 'skip', '--out', out]) };
};

/** Waits until the visible state of a run has changed this often, or the run has ended; returns how often it changed. */
async function steps({ out, run }: ReturnType<typeof begun>, most: number): Promise<number> {
  const state = () => {
    const count = processesOfThisTest(base).length;
    return [
      run.said().length,
      linesOf(join(out, 'transfers.ndjson')).length,
      count,
      ...linkOf(run),
    ].join();
  };
  const hasEnded = () => run.child.exitCode !== null || run.child.signalCode !== null;
  let [changes, last] = [0, state()];
  await vi.waitUntil(
    () => {
      const now = state();
      if (now !== last) changes++;
      last = now;
      return changes >= most || hasEnded();
    },
    { timeout: hangLimitMs, interval: 10 },
  );
  return changes;
}

describe.skipIf(linkLacking !== null)(
  `a link whose program ends at ${kills} random moments`,
  () => {
    test(
      'leaves no namespace, device or process that clean does not remove',
      { timeout: 6 * hangLimitMs },
      async () => {
        const whole = begun();
        const most = await steps(whole, Infinity);
        expect((await whole.run.ended).code).toBe(0);
        expect(linkOf(whole.run)).toEqual([]);
        let met = 0;
        for (let index = 0; index < kills; index++) {
          const signal = signals[index % signals.length];
          const killed = begun();
          await steps(killed, Math.floor(random() * most));
          if (linkOf(killed.run).length > 0) met++;
          killed.run.child.kill(signal);
          await killed.run.ended;
          const clean = await cachescope('clean');
          expect(clean.code, clean.stderr).toBe(0);
          expect(linkOf(killed.run), signal).toEqual([]);
          expectNothingLeft();
        }
        console.warn(`${kills} kills, ${met} of them while there was a link`);
        expect(met).toBeGreaterThan(kills / 3);
      },
    );
  },
);
