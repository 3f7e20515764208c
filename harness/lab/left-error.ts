import { CachescopeError, messageOf } from '../error.ts';

/**
 * The error of a clean-up in which several steps may have failed. Several are joined into one CS_STORAGE_LEFT with all
 * hints, which have the commands that undo the rest by hand.
 */
export function leftError(error: unknown): Error {
  const errors = inOrder(error);
  const [first] = errors;
  if (first instanceof Error && errors.length === 1) return first;
  const hints = errors.flatMap((each) =>
    each instanceof CachescopeError && each.hint !== undefined ? [each.hint] : [],
  );
  return new CachescopeError('CS_STORAGE_LEFT', errors.map(messageOf).join('; then '), {
    ...(hints.length > 0 && { hint: hints.join('\n') }),
    cause: error,
  });
}

/** The errors that a stack of resources met, in the order in which they came. */
function inOrder(error: unknown): unknown[] {
  if (!(error instanceof SuppressedError)) return [error];
  return [...inOrder(error.suppressed), ...inOrder(error.error)];
}
