import { confirmed, page, script, storable, visit } from './page.ts';
import type { Situation } from './situation.ts';

const prefetchLink = (file: string) => `<link rel="prefetch" href="${file}">`;
const prefetches = (file: string) => page('await pause(300);', { head: prefetchLink(file) });

/** `<link rel=prefetch>`, then the use in the next document; and speculation rules. */
export const prefetch: readonly Situation[] = [
  {
    name: 'prefetch-link-script',
    files: {
      fill: prefetches('resource'),
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
      fill: page(`await pause(300); location.href = 'page';`, {
        isPassage: true,
        head: prefetchLink('page'),
      }),
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
      fill: prefetches('resource'),
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
      fill: page(`await pause(600); location.href = 'page';`, {
        isPassage: true,
        head: `<script type="speculationrules">{"prefetch":[{"urls":["page"],"eagerness":"immediate"}]}</script>`,
      }),
      page: page('', { headers: storable }),
    },
    steps: [visit('fill')],
    judged: 'page',
    truth: { answer: 'prefetch/speculation' },
    atOrigin: [200],
  },
];
