import { statSync } from 'node:fs';
import type { SweepPlan, SweepRun } from '@cachescope/model/sweep/run.ts';
import { variantsOf } from '@cachescope/model/sweep/series.ts';
import type { FoundEnvironment } from '../../lab/run-session.ts';
import type { PopulatedPlace, Lab } from '../../lab/lab.ts';

/** The place that represents the run: a slow one, if there is one. */
function placeOf({ storage }: SweepPlan, { places }: Lab): PopulatedPlace | undefined {
  return places.find(({ disk }) => disk.kind === storage) ?? places[0];
}

/** The environment of a lab, as recorded in run.json. */
export function environmentOf(plan: SweepPlan, lab: Lab): FoundEnvironment {
  const { chromium, timerStepMs } = lab;
  return { chromium, storage: placeOf(plan, lab)?.disk.describe ?? 'unknown', timerStepMs };
}

/** The places where samples are taken, as recorded in run.json. */
export function placesOf(plan: SweepPlan, lab: Lab): Required<Pick<SweepRun, 'places' | 'stored'>> {
  const kind = placeOf(plan, lab)?.disk.kind ?? 'none';
  // Without the places of a recompression that the browser turned out to lack.
  const names = new Set(variantsOf(plan).map((variant) => variant?.name));
  const places = lab.places.filter(({ site }) => names.has(site.variant));
  return {
    places: places.map(placeRecord),
    stored: places.filter(({ disk }) => disk.kind === kind).flatMap(({ stored }) => stored),
  };
}

function placeRecord({ site, browserVersion, launch, disk, evidence }: PopulatedPlace) {
  const { size, mtime } = statSync(launch.executablePath);
  return {
    storage: site.storage,
    ...(site.variant !== undefined && { variant: site.variant }),
    browser: browserVersion,
    binary: `${launch.executablePath}, ${size} bytes of ${mtime.toISOString()}`,
    disk: disk.describe,
    evidence,
  };
}
