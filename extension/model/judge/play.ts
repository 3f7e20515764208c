import * as z from 'zod/mini';

/** Names of the safety rules, the worst first. */
export const violations = ['wrong-bytes', 'stale-as-fresh', 'read-by-others', 'lost'] as const;
export type Violation = (typeof violations)[number];

/** What breaks each rule. A browser that breaks one harms the users of every page, whatever the page. */
export const safetyRules: Readonly<Record<Violation, string>> = {
  'wrong-bytes': 'a body with wrong bytes',
  'stale-as-fresh': 'a stale response served as fresh',
  'read-by-others': 'a body read by a page that must not read it',
  lost: 'a request lost, or its response',
};

/**
 * What can tell two browsers apart: status, body and header fields in the page, the source by Resource Timing, and the
 * requests in the origin's log.
 */
const witnesses = ['page', 'timing', 'origin'] as const;
export type ConformanceWitness = (typeof witnesses)[number];

/** What each witness says of one situation: a line for each read or request, in their order. */
export type Account = Readonly<Record<ConformanceWitness, readonly string[]>>;

/** What one playing of a situation showed. */
export interface Play extends Account {
  /** The safety rules that a read broke; one rule may be named several times. */
  violations: readonly Violation[];
}

/** The witnesses for people. */
export const witnessNames: Readonly<Record<ConformanceWitness, string>> = {
  page: 'page',
  timing: 'Resource Timing',
  origin: 'origin',
};

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
  return witnesses.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

/** `200 whole, 200 whole; network, cache; GET 200`: page, Resource Timing and origin. */
export function accountText(account: Account): string {
  return witnesses.map((name) => folded(account[name]) || '-').join('; ');
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
