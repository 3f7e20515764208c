import { disk, memory, network, revalidated } from './outcomes.ts';
import {
  confirmed,
  image,
  once,
  page,
  readsResource,
  script,
  storable,
  text,
  thenReload,
  visit,
} from './page.ts';
import { type Outcome, type ServedFile, situation, type Situation } from './situation.ts';

const bypass = [visit('page'), { kind: 'reload', bypassCache: true }] as const;
const conditional = { isConditional: true } as const;
/** In the markup, so that the document loads it: what a script asks for later is no part of the reload. */
const withScript = page('', { head: '<script src="resource"></script>' });
const withImage = page('', { head: '<link rel="preload" as="image" href="resource">' });

interface Reloaded extends Outcome {
  steps?: Situation['steps'];
  document?: ServedFile;
  resource?: ServedFile;
  judged?: string;
  otherwise?: readonly Outcome[];
}

const reloads: Readonly<Record<string, Reloaded>> = {
  'script-in-markup': { document: withScript, resource: script(), ...memory },
  'script-confirmed-in-markup': {
    document: withScript,
    resource: script({ ...conditional, headers: confirmed }),
    truth: { answer: 'revalidated/memory-cache' },
    atOrigin: [304],
    validatorFrom: 'renderer',
    otherwise: [{ ...revalidated, validatorFrom: 'http-cache' }],
  },
  fetch: { document: readsResource, resource: text(), ...disk },
  'document-storable': {
    document: page('', { headers: storable }),
    judged: 'page',
    ...network,
  },
  'document-with-tag': {
    document: { ...page('', { headers: storable }), ...conditional },
    judged: 'page',
    ...revalidated,
  },
  'past-caches-script': {
    steps: bypass,
    document: withScript,
    resource: script(conditional),
    ...network,
  },
  'past-caches-preload': { steps: bypass, document: withImage, resource: image(), ...network },
  'past-caches-document': {
    steps: bypass,
    document: { ...page('', { headers: storable }), ...conditional },
    judged: 'page',
    ...network,
  },
  'past-caches-then-fetch': {
    steps: bypass,
    document: readsResource,
    resource: text(),
    ...disk,
    otherwise: [network],
  },
};

const reloadsItself = `if (performance.getEntriesByType('navigation')[0].type === 'reload') await done();
          else location.reload();`;

/** Reloads: of the tab, past all caches, and by the document itself. */
export const reloadKinds: readonly Situation[] = [
  ...Object.entries(reloads).map(
    ([
      name,
      { steps = thenReload, document = page(''), resource, judged = 'resource', ...outcome },
    ]) =>
      situation(
        `reload-${name}`,
        steps,
        outcome,
        { page: document, ...(resource && { resource }) },
        { judged },
      ),
  ),
  situation(
    'reload-by-document',
    once,
    // The visit, and the reload: the document stored by a visit from elsewhere is not that of its own navigation.
    { truth: { answer: 'network' }, atOrigin: [200, 200] },
    {
      page: {
        ...page(reloadsItself, { headers: storable, isPassage: true }),
        ...conditional,
      },
    },
    { judged: 'page', otherwise: [{ ...revalidated, atOrigin: [200, 304] }] },
  ),
  situation(
    'reload-by-document-script',
    once,
    // That of the visit.
    { ...memory, atOrigin: [200] },
    {
      page: page(reloadsItself, { isPassage: true, head: '<script src="resource"></script>' }),
      resource: script(),
    },
  ),
];
