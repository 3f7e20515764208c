import * as z from 'zod/mini';
import type { Coding } from '../coding.ts';

/** What a browser left when it had populated its cache: what the evidence of presets looks at. */
export const leftEvidenceSchema = z.object({
  /** The databases of the back end sql. */
  databases: z.array(z.object({ isWriteAhead: z.boolean() })),
  /** Number of values in each histogram that a preset of the plan needs, by name; null: they could not be read. */
  histograms: z.nullable(z.record(z.string(), z.number())),
});
export type LeftEvidence = z.infer<typeof leftEvidenceSchema>;

/** That, with the entries of its cache. */
export interface ObservedCache extends LeftEvidence {
  stored: readonly { arm: Coding; storedBytes: number | null; decodedBytes: number }[];
}

/** What one look at the evidence found. */
export interface Seen {
  isShown: boolean;
  /** In a clause: `3 of 3 databases with a write-ahead log`. */
  seen: string;
}

/** How a run shows that a setting of a preset is in effect. */
export interface Evidence {
  /** What is looked at, in a phrase for the docs. */
  what: string;
  /** The browser's histogram (UMA) that is read for it; absent: none. */
  histogram?: string;
  /** @param setting `on`, `off` or the number. */
  look: (cache: ObservedCache, setting: string) => Seen;
}

/** Evidence by the count of a histogram. */
export function histogramEvidence(
  histogram: string,
  what: string,
  isShownBy: (count: number) => boolean,
): Evidence {
  return {
    what: `${what} (${histogram})`,
    histogram,
    look({ histograms }) {
      const count = histograms?.[histogram];
      if (count === undefined) return { isShown: false, seen: `${histogram} was not read` };
      return { isShown: isShownBy(count), seen: `${histogram} counts ${count}` };
    },
  };
}
