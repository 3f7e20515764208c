import { confirmed, page, script, storable, text, unstorable, visit } from './page.ts';
import type { Situation } from './situation.ts';

/** The link's load event says that the prefetch has ended. */
const prefetches = (file: string) => `await load('link', { rel: 'prefetch', href: '${file}' });`;

/** `<link rel=prefetch>`, then the use in the next document; and speculation rules. */
export const prefetch: readonly Situation[] = [
  {
    name: 'prefetch-link-script',
    files: {
      fill: page(prefetches('resource')),
      page: page(`await script('resource');`),
      resource: script(),
    },
    steps: [visit('fill'), visit('page')],
    judged: 'resource',
    truth: { answer: 'prefetch/link' },
    atOrigin: [],
  },
  {
    name: 'prefetch-link-document',
    files: {
      // The cache keeps navigations from elsewhere apart, so the document itself goes on.
      fill: page(`${prefetches('page')} location.href = 'page';`, { isPassage: true }),
      page: page('', { headers: storable }),
    },
    steps: [visit('fill')],
    judged: 'page',
    truth: { answer: 'prefetch/link' },
    // The prefetch's own request.
    atOrigin: [200],
  },
  {
    name: 'prefetch-link-no-cache',
    files: {
      fill: page(prefetches('resource')),
      page: page(`await script('resource');`),
      resource: script({ isConditional: true, headers: confirmed }),
    },
    steps: [visit('fill'), visit('page')],
    judged: 'resource',
    truth: { answer: 'revalidated/http-cache' },
    atOrigin: [304],
  },
  {
    name: 'prefetch-speculation',
    files: {
      fill: page(`await read('prefetched'); location.href = 'page';`, {
        isPassage: true,
        head: `<script type="speculationrules">{"prefetch":[{"urls":["page"],"eagerness":"immediate"}]}</script>`,
      }),
      prefetched: text({ headers: unstorable, waitsFor: { file: 'page', status: 200 } }),
      page: page('', { headers: storable }),
    },
    steps: [visit('fill')],
    judged: 'page',
    truth: { answer: 'prefetch/speculation' },
    atOrigin: [200],
  },
];
