import { shareOf } from '@cachescope/model/run/shard.ts';
import { type RunWith, savedMeasurements } from '@cachescope/model/run/measurements.ts';
import { type Trust, trustOf } from '@cachescope/model/run/trust.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import * as z from 'zod/mini';
import { type Problems, readInteger } from '../options/option-reading.ts';
import { commandOptions } from '../options/option-table.ts';
import type { Experiment, Found } from './experiment.ts';

type Plan = { throws: number };
type Run = RunBase & { experiment: 'made-up'; plan: Plan };
type Line = { sequence: number; pips: number };

type Document = RunWith<'throws', Run, Line>;

const saved = savedMeasurements({
  lineFile: 'throws.ndjson',
  itemName: 'throw',
  items: 'throws',
  runSchema: z.custom<Run>(),
  itemSchema: z.custom<Line>(),
  idOf: ({ sequence }) => sequence,
});

/** For tests: throws a die and calls `onThrow` at each throw. An error from `onThrow` fails that throw. */
export function madeUpExperiment(onThrow: (sequence: number) => void = () => undefined) {
  const throwsOption = {
    value: '<n>',
    description: 'throws of the die',
    default: '3',
    read: (text: string, flag: string, problems: Problems) =>
      readInteger(flag, text, 1, 6, problems),
  };
  const experiment: Experiment<{
    document: Document;
    line: Line;
    asked: { plan: Plan };
    planned: { plan: Plan };
    found: Found & { plan: Plan };
    summary: { trust: Trust; pips: number };
  }> = {
    name: 'made-up',
    summary: 'throw a die',
    description: 'Throws a die.',
    help: '',
    options: commandOptions({ throws: throwsOption }, ({ throws }) => ({ plan: { throws } })),
    plan: async (asked) => asked,
    resume: {
      plan: async ({ plan }) => ({ plan }),
      conditions: [['die', ({ environment }) => environment.storage]],
    },
    shards: {
      launches: ({ throws }) => throws,
      part: (plan, shard) => ({ ...plan, throws: shareOf(plan.throws, shard) }),
    },
    planText: ({ plan }) => `Throws  ${plan.throws}\n`,
    requirements: async ({ plan }) => ({ plan, chromiumPath: '', storage: 'none' }),
    steps: ({ throws }) => throws,
    async measure(session) {
      const { plan } = session.found;
      const chromium = { version: 'not used', path: '', flags: [] };
      await session.begin({ chromium, storage: 'none', timerStepMs: null }, { plan });
      for (let sequence = session.lines.length; sequence < plan.throws; sequence++)
        await session.attempt(`throw ${sequence}`, async () => {
          onThrow(sequence);
          await session.keep({ sequence, pips: sequence + 1 });
        });
      return null;
    },
    measuredMs: ({ pips }) => pips,
    saved,
    summarize: ({ run, throws }) => ({
      trust: trustOf(run, { taken: throws.length, flagged: 0, cells: [] }),
      pips: throws.reduce((sum, { pips }) => sum + pips, 0),
    }),
    files: (_, { pips }) => ({ 'pips.csv': `pips\r\n${pips}\r\n` }),
    page: (_, { pips }) => ({
      title: 'A die',
      facts: [],
      finding: [`${pips} pips`],
      sections: [],
    }),
  };
  return experiment;
}
