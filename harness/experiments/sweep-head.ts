import { statSync } from 'node:fs';
import type { SweepPlan, SweepRun } from '@cachescope/model/sweep-run.ts';
import { describeEnvironment } from '../environment/environment.ts';
import type { FilledPlace, Lab } from '../runner/lab.ts';
import { runHead, type RunOccasion } from '../runner/run-record.ts';
import { requireUnchanged, type SavedSweep } from './sweep-resume.ts';

/** What is known of a run before it begins: run.json without a sample. */
export async function newRun(
  plan: SweepPlan,
  bench: RunOccasion,
  lab: Lab,
  startedAt: Date,
): Promise<SweepRun> {
  const slow = lab.places.find(({ disk }) => disk.kind === plan.storage) ?? lab.places[0];
  return {
    ...runHead('sweep', bench, startedAt),
    plan,
    environment: await describeEnvironment({
      chromium: lab.chromium,
      storage: slow?.disk.describe ?? 'unknown',
      timerStepMs: lab.timerStepMs,
    }),
    places: lab.places.map(placeRecord),
    stored: lab.places
      .filter(({ disk }) => disk.kind === (slow?.disk.kind ?? 'none'))
      .flatMap(({ stored }) => stored),
  };
}

function placeRecord({ site, browserVersion, launch, disk }: FilledPlace) {
  const { size, mtime } = statSync(launch.executablePath);
  return {
    storage: site.storage,
    ...(site.variant !== undefined && { variant: site.variant }),
    browser: browserVersion,
    binary: `${launch.executablePath}, ${size} bytes of ${mtime.toISOString()}`,
    disk: disk.describe,
  };
}

/** A saved run goes on as it was, when everything that a figure depends on is as it was. */
export function takenUp({ run, samples }: SavedSweep, fresh: SweepRun): SweepRun {
  requireUnchanged(run, fresh);
  const { statusReason: _, endedAt: __, ...kept } = run;
  const now = { at: fresh.startedAt, samples: samples.length };
  return { ...kept, status: 'running', resumed: [...(run.resumed ?? []), now] };
}
