import {
  conditional,
  type Came,
  image,
  ofDocument,
  outcome,
  outcomeOf,
  page,
  readsResource,
  revalidatedInMemory,
  revalidated,
  script,
  situation,
  type Steps,
  storable,
  text,
  unstorable,
  visit,
} from './page.ts';
import type { Outcome, ServedFile, Situation } from './situation.ts';

/** A document that is left and gone back to. */
const leftAndBack = (
  name: string,
  headers: Readonly<Record<string, string>>,
  came: Outcome & Partial<Situation>,
): Situation =>
  situation(
    name,
    [visit('page'), visit('other')],
    { ...ofDocument(came), target: 'run', uses: 1 },
    {
      page: page(
        `addEventListener('pageshow', ({ persisted }) => persisted && done()); await read('run');`,
        { headers },
      ),
      // A document that runs asks for it; a restored one does not run again.
      run: text({ headers: unstorable }),
      // The browser's own back button skips documents that nobody has touched; a script's does not.
      other: page('history.back();', { isPassage: true }),
    },
  );
const restored = outcome('bfcache', [], { hasNoEntry: true });

/** The document comes back whole from the back/forward cache. */
export const backForward: readonly Situation[] = [
  leftAndBack('back-forward-cache', storable, {
    ...restored,
    // Chromium need not keep a document that was left.
    otherwise: [outcome('disk', [200])],
  }),
  // Chromium may keep it all the same while its cookies stay as they are.
  leftAndBack('back-forward-no-store', unstorable, {
    ...outcome('network'),
    otherwise: [restored],
  }),
];

const bypass = [visit('page'), { kind: 'reload', bypassCache: true }] as const;
/** In the markup, so that the document loads it: what a script asks for later is no part of the reload. */
const inMarkup = { head: '<script src="resource"></script>' };
const withScript = page('', inMarkup);
const withImage = page('', { head: '<link rel="preload" as="image" href="resource">' });
const tagged = { headers: storable, isConditional: true } as const;

const reloaded = (
  name: string,
  came: Came,
  document: ServedFile,
  resource?: ServedFile,
  steps: Steps = 'thenReload',
): Situation =>
  situation(
    `reload-${name}`,
    steps,
    { judged: resource ? 'resource' : 'page', ...outcomeOf(came) },
    { page: document, ...(resource && { resource }) },
  );

const reloadsItself = `if (performance.getEntriesByType('navigation')[0].type === 'reload') await done();
          else location.reload();`;

/** Reloads: of the tab, past all caches, and by the document itself. */
export const reloadKinds: readonly Situation[] = [
  reloaded('script-in-markup', 'memory', withScript, script()),
  reloaded('script-confirmed-in-markup', revalidatedInMemory, withScript, script(conditional)),
  reloaded('fetch', 'disk', readsResource, text()),
  reloaded('document-storable', 'network', page('', { headers: storable })),
  reloaded('document-with-tag', revalidated, page('', tagged)),
  reloaded('past-caches-script', 'network', withScript, script(tagged), bypass),
  reloaded('past-caches-preload', 'network', withImage, image(), bypass),
  reloaded('past-caches-document', 'network', page('', tagged), undefined, bypass),
  reloaded(
    'past-caches-then-fetch',
    { ...outcome('disk'), otherwise: [outcome('network')] },
    readsResource,
    text(),
    bypass,
  ),
  reloaded(
    'by-document',
    // The visit, and the reload: the document stored by a visit from elsewhere is not that of its own navigation.
    outcome('network', [200, 200], { otherwise: [{ ...revalidated, atOrigin: [200, 304] }] }),
    page(reloadsItself, { ...tagged, isPassage: true }),
    undefined,
    'once',
  ),
  reloaded(
    'by-document-script',
    // That of the visit.
    outcome('memory', [200]),
    page(reloadsItself, { ...inMarkup, isPassage: true }),
    script(),
    'once',
  ),
];
