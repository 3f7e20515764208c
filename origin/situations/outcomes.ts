import type { Outcome } from './situation.ts';

/** Outcomes of many situations, by the answer that is true. */
export const network = { truth: { answer: 'network' }, atOrigin: [200] } as const satisfies Outcome;
export const disk = { truth: { answer: 'disk' }, atOrigin: [] } as const satisfies Outcome;
export const memory = { truth: { answer: 'memory' }, atOrigin: [] } as const satisfies Outcome;
export const revalidated = {
  truth: { answer: 'revalidated/http-cache' },
  atOrigin: [304],
} as const satisfies Outcome;
/** A second use of a response in its document: no request of its own, and no entry. */
export const sameDocument = {
  truth: { answer: 'same-document' },
  hasNoEntry: true,
  atOrigin: [200],
} as const satisfies Outcome;
