import * as z from 'zod/mini';
import { leftEvidenceSchema, type ObservedCache } from '../features/evidence.ts';
import { diskCacheBackEnds } from '../run/variant.ts';

/** What the browser of one side showed before it played: whether its settings are in effect. */
export const sideEvidenceSchema = z.extend(leftEvidenceSchema, {
  /** Name of the side. */
  variant: z.string(),
  /** For example `Chrome/156.0.8078.79`. */
  version: z.string(),
  /** SHA-256 of the file that was started, in hexadecimal. */
  programSha256: z.string(),
  /** The back end whose files the cache has; null: another one. */
  backEnd: z.nullable(z.enum(diskCacheBackEnds)),
  /** Names of the side's switches and features that are in no string of the browser's program. */
  unknownNames: z.array(z.string()),
  /** A response with the coding dcz: its decoded bytes, and those of its entry; null: unknown. */
  decodedBytes: z.number(),
  storedBytes: z.nullable(z.number()),
});
export type SideEvidence = z.infer<typeof sideEvidenceSchema>;

/** The same in the form that the evidence of presets looks at. */
export function observedCache({ decodedBytes, storedBytes, ...left }: SideEvidence): ObservedCache {
  return { ...left, stored: [{ arm: 'dcz', storedBytes, decodedBytes }] };
}
