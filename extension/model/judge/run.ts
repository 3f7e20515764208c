import * as z from 'zod/mini';
import { runBaseSchema } from '../run/base.ts';
import { type RunWith, savedMeasurements } from '../run/measurements.ts';
import { settingsSchema, variantSchema } from '../run/variant.ts';
import { sideEvidenceSchema } from './evidence.ts';
import { type JudgePlay, judgePlaySchema } from './play.ts';

export const judgePlanSchema = z.object({
  /** The two sides: the baseline, and the candidate. */
  variants: z.array(variantSchema),
  /** Settings of both sides; absent: none. */
  settings: z.optional(settingsSchema),
  /** Names of the situations, in their order. */
  situations: z.array(z.string()),
  /** How often each side plays each situation. */
  rounds: z.number(),
  seed: z.number(),
});
export type JudgePlan = z.infer<typeof judgePlanSchema>;

/** run.json of the experiment. */
export const judgeRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('judge'),
  plan: judgePlanSchema,
  /** What the browser of each side showed before it played. */
  evidence: z.array(sideEvidenceSchema),
});
export type JudgeRun = z.infer<typeof judgeRunSchema>;

/** The run with its plays. */
export type JudgeRunDocument = RunWith<'plays', JudgeRun, JudgePlay>;

/** Identifies a play in its run. */
export function playId({
  round,
  variant,
  situation,
}: Pick<JudgePlay, 'round' | 'variant' | 'situation'>): string {
  return JSON.stringify([round, variant, situation]);
}

/** How a saved run is read. */
export const savedJudge = savedMeasurements({
  lineFile: 'plays.ndjson',
  itemName: 'play',
  items: 'plays',
  runSchema: judgeRunSchema,
  itemSchema: judgePlaySchema,
  idOf: playId,
});
