import { page, text, visit } from './page.ts';
import type { Situation } from './situation.ts';

/** 206 (RFC 9110 section 15.3.7). */
export const ranges: readonly Situation[] = [
  {
    name: 'range-from-disk',
    files: {
      page: page(`await read('resource', { headers: { range: 'bytes=0-999' } });`),
      resource: text({ hasRanges: true, isConditional: true }),
    },
    steps: [visit('page'), visit('page')],
    judged: 'resource',
    truth: { answer: 'disk' },
    atOrigin: [],
  },
];
