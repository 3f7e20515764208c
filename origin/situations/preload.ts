import { page, script, visit } from './page.ts';
import type { Situation } from './situation.ts';

const preloads = `await load('link', { rel: 'preload', as: 'script', href: 'resource' });`;

/** `<link rel=preload>`: the preload's own entry, and the use that it serves. */
export const preload: readonly Situation[] = [
  {
    name: 'preload-then-use',
    files: {
      page: page(`${preloads} await script('resource');`),
      resource: script(),
    },
    steps: [visit('page')],
    judged: 'resource',
    hasNoEntry: true,
    truth: { answer: 'preload' },
    atOrigin: [200],
  },
  {
    name: 'preload-alone',
    files: {
      page: page(preloads),
      resource: script(),
    },
    steps: [visit('page')],
    judged: 'resource',
    truth: { answer: 'network' },
    atOrigin: [200],
  },
];
