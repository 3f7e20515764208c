import { madeUpFillRun, madeUpQuestion, madeUpTrial } from '@cachescope/model/fixtures/fill.ts';
import type { FillSystem } from '@cachescope/model/fill/plan.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';

/** Five systems, two questions, one reading that is flagged. */
export function fill(): RunDocument {
  const systems: FillSystem[] = [
    'origin',
    'nginx-pass',
    'nginx-lock',
    'edge-stream',
    'browser-tabs',
  ];
  const base = madeUpFillRun(systems);
  const waits = { 'nginx-pass': 520, 'nginx-lock': 900, 'edge-stream': 480 } as const;
  const trials = systems.flatMap((system, place) =>
    [0, 1, 2].map((round) =>
      madeUpTrial(system, {
        round,
        sequence: 3 * place + round,
        each: {
          byteWaitMs: (waits[system as keyof typeof waits] ?? 500) + round,
          ...(system === 'browser-tabs' && round === 0 && { flag: 'cut-off' as const }),
        },
      }),
    ),
  );
  const questions = [
    madeUpQuestion('together', [{}, {}]),
    madeUpQuestion('attach', [{}, { startMs: 1500 }], [0, 1500]),
  ];
  return {
    run: {
      ...base,
      plan: { ...base.plan, rounds: 3, questions: ['together', 'attach'] },
      unavailable: [{ what: 'nginx-tempfiles', why: 'there is no patched nginx' }],
    },
    lines: [...trials, ...questions.map((each, at) => ({ ...each, sequence: 100 + at }))],
  };
}
