import * as z from 'zod/mini';

/**
 * The safety rules, the worst first. A browser that breaks one harms the users of every page, whatever the page.
 */
export const safetyRules = {
  'wrong-bytes': 'a body with wrong bytes',
  'stale-as-fresh': 'a stale response served as fresh',
  'read-by-others': 'a body read by a page that must not read it',
  lost: 'a request lost, or its response',
} as const;
export type Violation = keyof typeof safetyRules;
export const violations = Object.keys(safetyRules) as Violation[];

/**
 * What can tell two browsers apart: status, body and header fields in the page, the source by Resource Timing, and the
 * requests in the origin's log.
 */
export const conformanceWitnesses = {
  page: 'page',
  timing: 'Resource Timing',
  origin: 'origin',
} as const;
export type ConformanceWitness = keyof typeof conformanceWitnesses;
const names = Object.keys(conformanceWitnesses) as ConformanceWitness[];

/** What each witness says of one situation: a line for each read or request, in their order. */
export type Account = Readonly<Record<ConformanceWitness, readonly string[]>>;

/** What one playing of a situation showed. */
export interface Play extends Account {
  /** The safety rules that a read broke; one rule may be named several times. */
  violations: readonly Violation[];
}

/** One line of the file of plays. */
export const judgePlaySchema = z.object({
  /** From 0. Each round plays every situation once on both sides. */
  round: z.number(),
  /** Name of the side. */
  variant: z.string(),
  /** Name and topic of the situation. */
  situation: z.string(),
  topic: z.string(),
  page: z.array(z.string()),
  timing: z.array(z.string()),
  origin: z.array(z.string()),
  violations: z.array(z.enum(violations)),
  /** Duration, ms. */
  tookMs: z.number(),
  /** ISO 8601, UTC. */
  takenAt: z.string(),
});
export type JudgePlay = z.infer<typeof judgePlaySchema>;

/** The witnesses that two accounts differ by; empty: they are the same. */
export function differingWitnesses(one: Account, other: Account): ConformanceWitness[] {
  return names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

/** `200 whole, 200 whole; network, cache; GET 200`: page, Resource Timing and origin. */
export function accountText(account: Account): string {
  return names.map((name) => folded(account[name]) || '-').join('; ');
}

/** Repeated lines once, with their number. */
function folded(lines: readonly string[]): string {
  const runs: { line: string; count: number }[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last?.line === line) last.count++;
    else runs.push({ line, count: 1 });
  }
  return runs
    .map(({ line, count }) => (count === 1 ? line : `${line} (${count} times)`))
    .join(', ');
}
