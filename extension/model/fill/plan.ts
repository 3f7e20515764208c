import * as z from 'zod/mini';
import { settingsSchema } from '../run/variant.ts';
import { linkSchema } from '../network/link.ts';

/**
 * The system between the readers and a slow origin. `origin`: none. nginx, as Debian ships it (`pass`, `lock`) or from a
 * binary of the user (`patched-lock`, `tempfiles`); our edge; Chromium's HTTP cache, with its readers in one page, in
 * frames, tabs or workers, or with the cache in memory; Chromium behind the edge.
 */
export const fillSystems = [
  'origin',
  'nginx-pass',
  'nginx-lock',
  'nginx-patched-lock',
  'nginx-tempfiles',
  'edge-pass',
  'edge-lock',
  'edge-stream',
  'browser-page',
  'browser-frames',
  'browser-tabs',
  'browser-workers',
  'browser-memory',
  'browser+edge',
] as const;
export type FillSystem = (typeof fillSystems)[number];

/** Systems by their requirements. */
export type FillSystemKind = 'origin' | 'nginx' | 'patched nginx' | 'edge' | 'browser';

/** Requirements of a system. */
export function kindOf(system: FillSystem): FillSystemKind {
  if (system === 'origin') return 'origin';
  if (system === 'nginx-patched-lock' || system === 'nginx-tempfiles') return 'patched nginx';
  if (system.startsWith('nginx')) return 'nginx';
  return system.startsWith('edge') ? 'edge' : 'browser';
}

/** How fast the origin sends the files: each within this time, in 10 chunks per second, or `full`, without pacing. */
export const suiteSchema = z.object({
  /** `full`, `1s`, `3s`. */
  name: z.string(),
  /** How long the origin takes to send one file, ms; 0: full speed. */
  fileMs: z.number(),
});
export type FillSuite = z.infer<typeof suiteSchema>;

/** Title of a suite, as in the nginx tempfiles benchmark. */
export function suiteTitle({ fileMs }: FillSuite): string {
  return fileMs === 0 ? 'Full speed origin' : `Slow origin, each file ${fileMs / 1000} s`;
}

/** The plan of a `fill` run. */
export const fillPlanSchema = z.object({
  systems: z.array(z.enum(fillSystems)),
  suites: z.array(suiteSchema),
  /** Concurrent readers. */
  workers: z.number(),
  /** Trial duration, ms: no reader begins a file after it. */
  timeMs: z.number(),
  fileBytes: z.number(),
  /** Parts of a file that the slow origin sends per second. */
  chunkHz: z.number(),
  /** Trials of each system in each suite; each round has its own random order. */
  rounds: z.number(),
  /** Questions about the browser's cache. */
  questions: z.array(z.string()),
  /** The emulated link between readers and the system under test; absent: loopback. */
  link: z.optional(linkSchema),
  seed: z.number(),
  /** What every browser of the run has in common; absent: defaults. */
  settings: z.optional(settingsSchema),
});
export type FillPlan = z.infer<typeof fillPlanSchema>;
