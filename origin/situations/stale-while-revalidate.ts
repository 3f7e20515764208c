import { page, text, visit } from './page.ts';
import type { Situation } from './situation.ts';

const stale = { 'cache-control': 'max-age=1, stale-while-revalidate=600' } as const;

/** A stale response is used, while the browser asks for a new one (RFC 5861 section 3). */
export const staleWhileRevalidate: readonly Situation[] = [
  {
    name: 'stale-while-revalidate',
    files: {
      page: page(`await read('resource'); await pause(300);`),
      resource: text({ isConditional: true, headers: stale }),
    },
    steps: [visit('page'), { kind: 'wait', forMs: 2100 }, visit('page')],
    judged: 'resource',
    truth: { answer: 'stale-while-revalidate' },
    atOrigin: [304],
  },
];
