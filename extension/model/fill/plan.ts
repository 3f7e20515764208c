import * as z from 'zod/mini';

/**
 * What stands between readers and a slow origin. `origin`: nothing. nginx, as Debian has it (`pass`, `lock`) or from a
 * binary of the user's (`patched-lock`, `tempfiles`); our edge; Chromium's HTTP cache, with its readers in one page, in
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

/** Systems by what they need. */
export type FillSystemKind = 'origin' | 'nginx' | 'patched nginx' | 'edge' | 'browser';

/** What a system needs to run. */
export function kindOf(system: FillSystem): FillSystemKind {
  if (system === 'origin') return 'origin';
  if (system === 'nginx-patched-lock' || system === 'nginx-tempfiles') return 'patched nginx';
  if (system.startsWith('nginx')) return 'nginx';
  return system.startsWith('edge') ? 'edge' : 'browser';
}

/** How the origin sends the files: each in so many seconds, in 10 chunks a second, or `full`, as fast as they are taken. */
export const suiteSchema = z.object({
  /** `full`, `1s`, `3s`. */
  name: z.string(),
  /** How long the origin takes to send one file, ms; 0: full speed. */
  fileMs: z.number(),
});
export type FillSuite = z.infer<typeof suiteSchema>;

/** Title of a suite, in the words of the benchmark that this follows. */
export function suiteTitle({ fileMs }: FillSuite): string {
  return fileMs === 0 ? 'Full speed origin' : `Slow origin, each file ${fileMs / 1000} s`;
}

export const fillPlanSchema = z.object({
  systems: z.array(z.enum(fillSystems)),
  suites: z.array(suiteSchema),
  /** Readers at the same time. */
  workers: z.number(),
  /** No reader begins another file after this time, ms. */
  timeMs: z.number(),
  fileBytes: z.number(),
  chunkHz: z.number(),
  /** How often each system takes each suite, in an order drawn anew. */
  rounds: z.number(),
  /** Questions that are put to the browser's cache. */
  questions: z.array(z.string()),
  seed: z.number(),
});
export type FillPlan = z.infer<typeof fillPlanSchema>;
