import * as z from 'zod/mini';

const text = z.optional(z.string());
const number = z.optional(z.number());
const frameSchema = z.object({
  functionName: text,
  scriptId: text,
  url: z.string(),
  lineNumber: number,
  columnNumber: number,
});

/**
 * The initiator of a request, as in DevTools' Network.Initiator: a position in a document or style sheet, or a call
 * stack.
 */
export const initiatorSchema = z.object({
  /** parser, script, preload, other … */
  type: z.string(),
  url: text,
  lineNumber: number,
  columnNumber: number,
  stack: z.optional(z.object({ callFrames: z.array(frameSchema) })),
});
export type Initiator = z.infer<typeof initiatorSchema>;

const stackSchema = z.object({
  callFrames: z.optional(z.array(frameSchema)),
  parent: z.optional(z.unknown()),
});

/** Call frames kept of a stack, innermost first. */
const mostFrames = 4;
/** Parent stacks (where a timer or promise was created) that are searched. */
const deepestStack = 32;

/** Reads an initiator; undefined when the value is not one. Of its stacks, the nearest one with a call is kept. */
export function reportedInitiator(value: unknown): Initiator | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const read = z.omit(initiatorSchema, { stack: true }).safeParse(value);
  if (!read.success) return undefined;
  const callFrames = nearestCalls('stack' in value ? value.stack : undefined, deepestStack);
  return { ...read.data, ...(callFrames.length > 0 && { stack: { callFrames } }) };
}

function nearestCalls(stack: unknown, deepest: number): z.infer<typeof frameSchema>[] {
  const read = stackSchema.safeParse(stack);
  if (!read.success || deepest === 0) return [];
  const { callFrames = [], parent } = read.data;
  return callFrames.length > 0
    ? callFrames.slice(0, mostFrames)
    : nearestCalls(parent, deepest - 1);
}
