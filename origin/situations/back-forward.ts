import { page, storable, text, unstorable, visit } from './page.ts';
import type { Situation } from './situation.ts';

/** A document that is left and gone back to. */
function leftAndBack(name: string, headers: Readonly<Record<string, string>>) {
  return {
    name,
    files: {
      page: page(
        `addEventListener('pageshow', ({ persisted }) => persisted && done()); await read('run');`,
        { headers },
      ),
      // A document that runs asks for it; a restored one does not run again.
      run: text({ headers: unstorable }),
      // The browser's own back button skips documents that nobody has touched; a script's does not.
      other: page('history.back();', { isPassage: true }),
    },
    steps: [visit('page'), visit('other')],
    judged: 'page',
    target: 'run',
    uses: 1,
  } as const;
}

/** The document comes back whole from the back/forward cache. */
export const backForward: readonly Situation[] = [
  {
    ...leftAndBack('back-forward-cache', storable),
    hasNoEntry: true,
    truth: { answer: 'bfcache' },
    atOrigin: [],
    // Chromium need not keep a document that was left.
    otherwise: [{ truth: { answer: 'disk' }, atOrigin: [200] }],
  },
  {
    ...leftAndBack('back-forward-no-store', unstorable),
    truth: { answer: 'network' },
    atOrigin: [200],
    // Chromium may keep it all the same while its cookies stay as they are.
    otherwise: [{ truth: { answer: 'bfcache' }, hasNoEntry: true, atOrigin: [] }],
  },
];
