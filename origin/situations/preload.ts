import { network } from './outcomes.ts';
import { once, page, script } from './page.ts';
import { situation, type Situation } from './situation.ts';

const preloads = `await load('link', { rel: 'preload', as: 'script', href: 'resource' });`;

/** `<link rel=preload>`: the preload's own entry, and the use that it serves. */
export const preload: readonly Situation[] = [
  situation(
    'preload-then-use',
    once,
    { truth: { answer: 'preload' }, hasNoEntry: true, atOrigin: [200] },
    { page: page(`${preloads} await script('resource');`), resource: script() },
  ),
  situation('preload-alone', once, network, { page: page(preloads), resource: script() }),
];
