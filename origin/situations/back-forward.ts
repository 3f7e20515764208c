import { page, storable, visit } from './page.ts';
import type { Situation } from './situation.ts';

/** The document comes back whole from the back/forward cache. */
export const backForward: readonly Situation[] = [
  {
    name: 'back-forward-cache',
    files: {
      page: page(`addEventListener('pageshow', ({ persisted }) => persisted && done());`, {
        headers: storable,
      }),
      // The browser's own back button skips documents that nobody has touched; a script's does not.
      other: page('await pause(300); history.back();', { isPassage: true }),
    },
    steps: [visit('page'), visit('other')],
    judged: 'page',
    hasNoEntry: true,
    truth: { answer: 'bfcache' },
    atOrigin: [],
  },
];
