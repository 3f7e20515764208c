import { page, storable, text, unstorable, visit } from './page.ts';
import type { Situation } from './situation.ts';

/** The document comes back whole from the back/forward cache. */
export const backForward: readonly Situation[] = [
  {
    name: 'back-forward-cache',
    files: {
      page: page(
        `addEventListener('pageshow', ({ persisted }) => persisted && done()); await read('run');`,
        { headers: storable },
      ),
      // A document that runs asks for it; a restored one does not run anew.
      run: text({ headers: unstorable }),
      // The browser's own back button skips documents that nobody has touched; a script's does not.
      other: page('history.back();', { isPassage: true }),
    },
    steps: [visit('page'), visit('other')],
    judged: 'page',
    target: 'run',
    hasNoEntry: true,
    truth: { answer: 'bfcache' },
    atOrigin: [],
    // Chromium need not keep a document that was left.
    otherwise: [{ truth: { answer: 'disk' }, atOrigin: [200] }],
  },
];
