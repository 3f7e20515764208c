import * as z from 'zod/mini';
import { runBaseSchema } from '../run/base.ts';
import { type RunWith, savedMeasurements } from '../run/measurements.ts';
import { settingsSchema, variantSchema } from '../run/variant.ts';
import { sideEvidenceSchema } from './evidence.ts';
import { type StoringReading, storingPlanSchema, storingReadingSchema } from '../storing/run.ts';
import { type JudgePlay, judgePlaySchema } from './play.ts';

export const judgePlanSchema = z.object({
  /** The two sides: the baseline, and the candidate. */
  variants: z.array(variantSchema),
  /** Settings of both sides; absent: none. */
  settings: z.optional(settingsSchema),
  /** Names of the situations, in their order; empty: conformance is not judged. */
  situations: z.array(z.string()),
  /** How often each side plays each situation. */
  rounds: z.number(),
  /** What of the cost is measured; absent: nothing. */
  cost: z.optional(storingPlanSchema),
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

/** One line of the file of plays: a play of a situation, or a reading of the cost. */
export type JudgeLine = JudgePlay | StoringReading;

/** The run with its lines. */
export type JudgeRunDocument = RunWith<'plays', JudgeRun, JudgeLine>;

/** The plays and the readings among lines. */
export function partsOf(lines: readonly JudgeLine[]): {
  plays: JudgePlay[];
  readings: StoringReading[];
} {
  const plays: JudgePlay[] = [];
  const readings: StoringReading[] = [];
  for (const line of lines)
    if ('measure' in line) readings.push(line);
    else plays.push(line);
  return { plays, readings };
}

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
  itemSchema: z.union([judgePlaySchema, storingReadingSchema]),
  idOf: (line) => ('measure' in line ? line.sequence : playId(line)),
});
