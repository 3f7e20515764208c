import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import { cellsOf, controlSitesOf, slowSitesOf } from './points.ts';

/** Seconds to populate the cache of one place, and of one launch with its end, on a quiet machine with two cores. */
const [populateS, launchS] = [4, 1.7];
/** Of one read without a delay, with the drop of the page cache: on ordinary storage, where all of it is dropped, and slow. */
const [controlReadS, slowReadS] = [0.12, 0.05];
/** Serial device reads of one cached read. */
const serialReads = 8;
/** The direct reads that verify a delay, s in each launch. */
const proofS = 0.05;
/** One confirmation read, one traced read, and the first loads of a launch, s. */
const [confirmationS, tracedS, firstLoadsS] = [0.3, 0.5, 0.5];

/** Approximate duration of a plan; under a stop rule, of its planned passes. */
export function plannedSeconds(plan: SweepPlan): number {
  const { samplesPerCell, launchesPerPoint, traces, firstLoads } = plan;
  const sites = [...controlSitesOf(plan), ...slowSitesOf(plan)];
  const places = new Set(sites.map(({ storage, variant }) => `${storage} ${variant}`));
  const launches = sites.length * launchesPerPoint;
  const delays = sites.reduce((sum, { points }) => sum + points.length, 0) * launchesPerPoint;
  const cells = cellsOf(plan);
  const readsS = cells.reduce((sum, { storage, delayMs }) => {
    const freeS = storage === 'none' ? controlReadS : slowReadS;
    return sum + samplesPerCell * (freeS + (serialReads * delayMs) / 1000);
  }, 0);
  const extraS =
    cells.length * (confirmationS + (traces ? tracedS : 0)) +
    (firstLoads ? launches * firstLoadsS : 0);
  return places.size * populateS + launches * launchS + delays * proofS + readsS + extraS;
}
