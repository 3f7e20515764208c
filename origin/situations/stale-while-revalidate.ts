import { afterFill, page, readsResource, text, unstorable } from './page.ts';
import { situation, type Situation } from './situation.ts';

/** By its age it is stale from the start. */
const stale = { 'cache-control': 'max-age=1, stale-while-revalidate=600', age: '10' } as const;

/** A stale response is used, while the browser asks for a new one (RFC 5861 section 3). */
export const staleWhileRevalidate: readonly Situation[] = [
  situation(
    'stale-while-revalidate',
    afterFill,
    { truth: { answer: 'stale-while-revalidate' }, atOrigin: [304] },
    {
      fill: readsResource,
      page: page(`await read('resource'); await read('renewed');`),
      resource: text({ isConditional: true, headers: stale }),
      renewed: text({ headers: unstorable, waitsFor: { file: 'resource', status: 304 } }),
    },
  ),
];
