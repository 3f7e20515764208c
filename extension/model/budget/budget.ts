import * as z from 'zod/mini';
import type { AttributedResource } from '../attribution/attributed-resource.ts';
import { checked, type Parsed } from '../parsed.ts';
import type { NamedJson } from '../run/experiment.ts';
import { servedFrom, sourceNames } from './served-from.ts';

const count = z.optional(z.int().check(z.minimum(0)));
const share = z.optional(z.number().check(z.minimum(0), z.maximum(1)));

/** Limits on the requests of one source. */
const limitsSchema = z
  .strictObject({
    minCount: count,
    maxCount: count,
    /** Shares of all requests that the budget concerns, 0 to 1. */
    minShare: share,
    maxShare: share,
    /** Bytes that crossed the network, headers included. */
    maxTransferBytes: count,
  })
  .check(z.refine((limits) => Object.keys(limits).length > 0, 'expected at least one limit'));

const names = [...sourceNames].join(', ');
const assertionsSchema = z
  .record(z.string(), z.tuple([z.enum(['error', 'warn']), limitsSchema]))
  .check(
    z.refine(
      (assertions) => Object.keys(assertions).every((name) => sourceNames.has(name)),
      `expected names of sources: ${names}`,
    ),
  );

const pattern = z.string().check(z.refine(isPattern, 'expected a regular expression'));

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text));
  } catch {
    return false;
  }
}

/** In the style of Lighthouse CI: assertions for all requests, or for those whose URL matches a pattern. */
const budgetSchema = z
  .strictObject({
    assertions: z.optional(assertionsSchema),
    assertMatrix: z.optional(
      z.array(z.strictObject({ matchingUrlPattern: pattern, assertions: assertionsSchema })),
    ),
  })
  .check(z.refine((budget) => Object.keys(budget).length > 0, 'expected assertions'));
export type Budget = z.infer<typeof budgetSchema>;
type Limits = z.infer<typeof limitsSchema>;

/** Reads a file of budgets. */
export function readBudget({ name, json }: NamedJson): Parsed<Budget> {
  return checked(name, budgetSchema, json);
}

/** One limit, and what the requests say about it. */
export interface JudgedLimit {
  level: 'error' | 'warn';
  /** Regular expression of the URLs; absent: all requests. */
  matchingUrlPattern?: string;
  /** Name of the source. */
  source: string;
  limit: keyof Limits;
  allowed: number;
  /** Requests that it concerns. */
  requests: number;
  /** Bounds of the value: they differ where sources or sizes are unknown. `atMost` null: no upper bound is known. */
  atLeast: number;
  atMost: number | null;
  /** `undecided`: the value may be on both sides of the limit, or the pattern matches no request. */
  outcome: 'passed' | 'failed' | 'undecided';
}

/** Judges each limit. What is unknown decides nothing: a limit fails only where no unknown value could keep it. */
export function judgedLimits(budget: Budget, rows: readonly AttributedResource[]): JudgedLimit[] {
  const groups = [
    ...(budget.assertions ? [{ assertions: budget.assertions }] : []),
    ...(budget.assertMatrix ?? []),
  ];
  return groups.flatMap(({ assertions, ...which }) => {
    const chosen = 'matchingUrlPattern' in which ? matching(rows, which.matchingUrlPattern) : rows;
    return Object.entries(assertions).flatMap(([source, [level, limits]]) =>
      Object.entries(limits).map(([name, allowed = 0]) => {
        const limit = name as keyof Limits;
        const value = bounds(limit, source, chosen);
        const requests = chosen.length;
        const outcome = requests === 0 ? 'undecided' : outcomeOf(limit, allowed, value);
        return { level, ...which, source, limit, allowed, requests, ...value, outcome };
      }),
    );
  });
}

function matching(rows: readonly AttributedResource[], text: string): AttributedResource[] {
  const urls = new RegExp(text);
  return rows.filter(({ resource }) => urls.test(resource.url));
}

type Bounds = Pick<JudgedLimit, 'atLeast' | 'atMost'>;

function bounds(limit: keyof Limits, source: string, rows: readonly AttributedResource[]): Bounds {
  const found = rows.map(({ resource, attribution }) => ({
    is: servedFrom(attribution, [source]),
    bytes: resource.transferredBytes,
  }));
  const sure = found.filter(({ is }) => is === 'yes');
  const possible = found.filter(({ is }) => is !== 'no');
  if (limit === 'maxTransferBytes') {
    const total = (part: typeof found) => part.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
    const isKnown = possible.every(({ bytes }) => bytes !== null);
    return { atLeast: total(sure), atMost: isKnown ? total(possible) : null };
  }
  const of = limit.endsWith('Share') ? Math.max(1, rows.length) : 1;
  return { atLeast: sure.length / of, atMost: possible.length / of };
}

function outcomeOf(
  limit: keyof Limits,
  allowed: number,
  { atLeast, atMost }: Bounds,
): JudgedLimit['outcome'] {
  if (limit.startsWith('min')) {
    if (atLeast >= allowed) return 'passed';
    return atMost !== null && atMost < allowed ? 'failed' : 'undecided';
  }
  if (atLeast > allowed) return 'failed';
  return atMost !== null && atMost <= allowed ? 'passed' : 'undecided';
}
