import * as z from 'zod/mini';

const grade = z.enum(['good', 'fair', 'poor']);

/** A saved grade of a run (trust.ts). */
export const trustSchema = z.object({
  grade,
  reasons: z.array(
    z.object({
      aspect: z.string(),
      grade: z.enum([...grade.options, 'unknown']),
      text: z.string(),
    }),
  ),
  inconclusive: z.nullable(z.string()),
});
