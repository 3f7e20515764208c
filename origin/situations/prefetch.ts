import { revalidated } from './outcomes.ts';
import {
  afterFill,
  confirmed,
  page,
  runsResource,
  script,
  storable,
  text,
  unstorable,
  visit,
} from './page.ts';
import { situation, type Situation } from './situation.ts';

/** The link's load event says that the prefetch has ended. */
const prefetches = (file: string) => `await load('link', { rel: 'prefetch', href: '${file}' });`;

/** `<link rel=prefetch>`, then the use in the next document; and speculation rules. */
export const prefetch: readonly Situation[] = [
  situation(
    'prefetch-link-script',
    afterFill,
    { truth: { answer: 'prefetch/link' }, atOrigin: [] },
    { fill: page(prefetches('resource')), page: runsResource, resource: script() },
  ),
  situation(
    'prefetch-link-document',
    [visit('fill')],
    // The prefetch's own request.
    { truth: { answer: 'prefetch/link' }, atOrigin: [200] },
    {
      // The cache keeps navigations from elsewhere apart, so the document itself goes on.
      fill: page(`${prefetches('page')} location.href = 'page';`, { isPassage: true }),
      page: page('', { headers: storable }),
    },
    { judged: 'page' },
  ),
  situation('prefetch-link-no-cache', afterFill, revalidated, {
    fill: page(prefetches('resource')),
    page: runsResource,
    resource: script({ isConditional: true, headers: confirmed }),
  }),
  situation(
    'prefetch-speculation',
    [visit('fill')],
    { truth: { answer: 'prefetch/speculation' }, atOrigin: [200] },
    {
      fill: page(`await read('prefetched'); location.href = 'page';`, {
        isPassage: true,
        head: `<script type="speculationrules">{"prefetch":[{"urls":["page"],"eagerness":"immediate"}]}</script>`,
      }),
      prefetched: text({ headers: unstorable, waitsFor: { file: 'page', status: 200 } }),
      page: page('', { headers: storable }),
    },
    { judged: 'page' },
  ),
];
