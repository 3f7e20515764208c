import { sameDocument } from './outcomes.ts';
import { image, once, page } from './page.ts';
import { kinds } from './kinds.ts';
import type { Situation } from './situation.ts';

const repeated = ['image', 'input-image', 'svg-image', 'background', 'poster', 'style'];

/** A second use in one document makes no request, and gets no entry of Resource Timing. */
export const repeatedUses: readonly Situation[] = repeated.map((kind) => ({
  scene: 'repeated',
  name: `${kind}-repeated`,
  files: {
    ...Object.fromEntries(repeated.map((each) => [each, kinds[each]?.file() ?? image()])),
    page: page(
      repeated.flatMap((each) => Array(2).fill(kinds[each]?.run(`(here + '${each}')`))).join('\n'),
    ),
  },
  steps: once,
  judged: kind,
  ...sameDocument,
}));
