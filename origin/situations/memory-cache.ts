import { memory, sameDocument } from './outcomes.ts';
import { image, once, page, runsResource, script, style, thenReload, twice } from './page.ts';
import { situation, type Situation } from './situation.ts';

const kinds: Readonly<Record<string, Situation['files']>> = {
  script: { page: runsResource, resource: script() },
  module: { page: page(`await script('resource', { type: 'module' });`), resource: script() },
  style: { page: page(`await style('resource');`), resource: style() },
  image: { page: page(`await image('resource');`), resource: image() },
};

/** The renderer's memory cache, across documents and within one. */
export const memoryCache: readonly Situation[] = [
  ...Object.entries(kinds).map(([kind, files]) =>
    situation(`memory-${kind}`, twice, memory, files),
  ),
  situation('memory-reload', thenReload, memory, { page: runsResource, resource: script() }),
  situation('same-document', once, sameDocument, {
    page: page(`await image('resource'); await image('resource');`),
    resource: image(),
  }),
  situation('same-document-at-once', once, sameDocument, {
    page: page(`await Promise.all([image('resource'), image('resource')]);`),
    resource: image({ delayMs: 100 }),
  }),
  situation('same-document-style', once, sameDocument, {
    page: page(`await style('resource'); await style('resource');`),
    resource: style(),
  }),
];
