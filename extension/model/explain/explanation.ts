import type { BreakEven } from './break-even.ts';
import type { DiskProfile } from './disk-profile.ts';
import type { EmulationError } from './emulation-error.ts';
import type { FirstLoadGap } from './first-load.ts';
import type { HeldOut } from './held-out.ts';
import type { FittedModel } from './hit-model.ts';
import type { HitPrediction } from './hit-prediction.ts';
import type { SerialReadWitnesses } from './serial-read-witness.ts';
import type { CodingCost } from '../sweep/run.ts';
import type { Series } from '../sweep/series.ts';
import type { WaitLaw } from './wait-law.ts';
import type { WhatIf } from './what-if.ts';

/** A prediction for a disk of the profiles. */
export interface DiskPrediction extends HitPrediction {
  disk: DiskProfile;
}

/** What explains a sweep: derived from its run, its samples and its traced reads, and made again at any time. */
export interface Explanation<Model extends FittedModel = FittedModel> {
  /** One a series that has delays enough; series in the plan's order. */
  models: Model[];
  /** Series without a model, for want of delays. */
  unmodelled: Series[];
  law: WaitLaw | null;
  witnesses: SerialReadWitnesses[];
  heldOut: HeldOut;
  /** DCB and DCZ against the baseline, of each workload whose models hold. */
  breakEvens: BreakEven[];
  predictions: DiskPrediction[];
  whatIfs: WhatIf[];
  /** How far off the emulated fix is from Chromium's own; empty in a run that did not measure both. */
  emulationErrors: EmulationError[];
  firstLoads: FirstLoadGap[];
  codingCosts: CodingCost[];
  /** What the data say to the question of the source document, in sentences. Never empty. */
  answer: string[];
}
