import * as z from 'zod/mini';
import { fillPlanSchema } from './plan.ts';
import { fillQuestionSchema } from './question.ts';
import { fillTrialSchema } from './trial.ts';
import { linkedRunFields } from '../network/link.ts';
import { runBaseSchema } from '../run/base.ts';
import { type RunWith, savedMeasurements } from '../run/measurements.ts';

/** run.json of concurrent fills. */
export const fillRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('fill'),
  ...linkedRunFields,
  plan: fillPlanSchema,
  /** Requested systems that are not available here, with the reason in a sentence. */
  unavailable: z.array(z.object({ what: z.string(), why: z.string() })),
  /** Version line of each nginx: the distribution's, and the one the user gave; null when there was none. */
  nginx: z.object({ own: z.nullable(z.string()), patched: z.nullable(z.string()) }),
});
export type FillRun = z.infer<typeof fillRunSchema>;

/** One line of trials.ndjson. */
export const fillLineSchema = z.discriminatedUnion('kind', [fillTrialSchema, fillQuestionSchema]);
export type FillLine = z.infer<typeof fillLineSchema>;

/** A run of concurrent fills with its trials and the questions about the browser's cache. */
export type FillRunDocument = RunWith<'lines', FillRun, FillLine>;

/** How a saved run of concurrent fills is read. */
export const savedFill = savedMeasurements({
  lineFile: 'trials.ndjson',
  itemName: 'trial',
  items: 'lines',
  runSchema: fillRunSchema,
  itemSchema: fillLineSchema,
  idOf: (line) => line.sequence,
});
