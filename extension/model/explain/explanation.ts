import type { BreakEven } from './break-even.ts';
import type { DiskProfile } from './disk-profile.ts';
import type { FirstLoadGap } from './first-load.ts';
import type { HeldOut } from './held-out.ts';
import type { FittedModel } from './hit-model.ts';
import type { HitPrediction } from './hit-prediction.ts';
import type { SerialReadWitnesses } from './serial-read-witness.ts';
import type { CodingCost } from '../sweep/run.ts';
import type { Series } from '../sweep/series.ts';
import type { WaitModel } from './wait-model.ts';
import type { FormTime } from './stored-form.ts';

/** A prediction for a disk of the profiles. */
export interface DiskPrediction extends HitPrediction {
  disk: DiskProfile;
}

/**
 * The explanation of a sweep. It is derived from the run, its samples and its traced reads, and can be recomputed at
 * any time.
 */
export interface Explanation<Model extends FittedModel = FittedModel> {
  /** One model per series with enough delays; series in the plan's order. */
  models: Model[];
  /** Series without a model, because they have too few delays. */
  unmodelled: Series[];
  waitModel: WaitModel | null;
  witnesses: SerialReadWitnesses[];
  heldOut: HeldOut;
  /** DCB and DCZ against the baseline, for each workload whose models hold. */
  breakEvens: BreakEven[];
  predictions: DiskPrediction[];
  formTimes: FormTime[];
  firstLoads: FirstLoadGap[];
  codingCosts: CodingCost[];
  /**
   * Whether a DCB response should be compressed before it is stored (answer.ts), in sentences. Never empty.
   */
  answer: string[];
}
