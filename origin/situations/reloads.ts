import { confirmed, image, page, script, storable, text, visit } from './page.ts';
import type { Outcome, ServedFile, Situation } from './situation.ts';

const reload = { kind: 'reload' } as const;
const bypass = { kind: 'reload', bypassCache: true } as const;
const conditional = { isConditional: true } as const;
/** In the markup, so that the document loads it: what a script asks for later is no part of the reload. */
const withScript = page('', { head: '<script src="resource"></script>' });
const withImage = page('', { head: '<link rel="preload" as="image" href="resource">' });
const network = { truth: { answer: 'network' }, atOrigin: [200] } as const;
const memory = { truth: { answer: 'memory' }, atOrigin: [] } as const;
const disk = { truth: { answer: 'disk' }, atOrigin: [] } as const;
const revalidated = { truth: { answer: 'revalidated/http-cache' }, atOrigin: [304] } as const;

interface Reloaded extends Outcome {
  step?: Situation['steps'][number];
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
  fetch: { document: page(`await read('resource');`), resource: text(), ...disk },
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
    step: bypass,
    document: withScript,
    resource: script(conditional),
    ...network,
  },
  'past-caches-preload': { step: bypass, document: withImage, resource: image(), ...network },
  'past-caches-document': {
    step: bypass,
    document: { ...page('', { headers: storable }), ...conditional },
    judged: 'page',
    ...network,
  },
  'past-caches-then-fetch': {
    step: bypass,
    document: page(`await read('resource');`),
    resource: text(),
    ...disk,
    otherwise: [network],
  },
};

/** Reloads: of the tab, past all caches, and by the document itself. */
export const reloadKinds: readonly Situation[] = [
  ...Object.entries(reloads).map(
    ([
      name,
      { step = reload, document = page(''), resource, judged = 'resource', ...outcome },
    ]) => ({
      name: `reload-${name}`,
      files: { page: document, ...(resource ? { resource } : {}) },
      steps: [visit('page'), step],
      judged,
      ...outcome,
    }),
  ),
  {
    name: 'reload-by-document',
    files: {
      page: {
        ...page(
          `if (performance.getEntriesByType('navigation')[0].type === 'reload') await done();
          else location.reload();`,
          { headers: storable, isPassage: true },
        ),
        ...conditional,
      },
    },
    steps: [visit('page')],
    judged: 'page',
    // The visit, and the reload: the document stored by a visit from elsewhere is not that of its own navigation.
    truth: { answer: 'network' },
    atOrigin: [200, 200],
    otherwise: [{ truth: { answer: 'revalidated/http-cache' }, atOrigin: [200, 304] }],
  },
  {
    name: 'reload-by-document-script',
    files: {
      page: page(
        `if (performance.getEntriesByType('navigation')[0].type === 'reload') await done();
        else location.reload();`,
        { isPassage: true, head: '<script src="resource"></script>' },
      ),
      resource: script(),
    },
    steps: [visit('page')],
    judged: 'resource',
    truth: { answer: 'memory' },
    // That of the visit.
    atOrigin: [200],
  },
];
