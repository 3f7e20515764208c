import {
  type Came,
  type Files,
  image,
  outcome,
  page,
  script,
  situation,
  style,
  unstorable,
} from './page.ts';
import type { ServedFile, Situation } from './situation.ts';

const served = outcome('preload', [200], { hasNoEntry: true });
const byHeader = (as: string, run: string, rel = 'preload') =>
  page(run, { headers: { ...unstorable, link: `<resource>; rel=${rel}; as=${as}` } });
const use = (
  name: string,
  document: ServedFile | string,
  resource: ServedFile,
  came: Came = served,
  more: Files = {},
) => situation(`preload-${name}`, 'once', came, { page: document, resource, ...more });

const withLink = (attributes: string, run: string) =>
  page(run, { head: `<link rel="preload" ${attributes}>` });
const asScript = 'as="script" href="resource"';

/** Preloads that no link of the document names, or none any more, and what they serve. */
export const preloadUses: readonly Situation[] = [
  use('by-header-script', byHeader('script', `await script('resource');`), script()),
  use('by-header-image', byHeader('image', `await image('resource');`), image()),
  use('by-header-style', byHeader('style', `await style('resource');`), style()),
  use(
    'by-header-module',
    byHeader('script', `await script('resource', { type: 'module' });`, 'modulepreload'),
    script(),
  ),
  use('by-header-alone', byHeader('script', ''), script(), 'network'),
  use(
    'image-set',
    withLink('as="image" imagesrcset="resource 1x"', `await image('resource');`),
    image(),
  ),
  use(
    'image-set-and-sizes',
    withLink(
      'as="image" imagesrcset="resource 300w" imagesizes="100vw"',
      `await image('resource');`,
    ),
    image(),
  ),
  use(
    'link-removed',
    withLink(
      asScript,
      `document.querySelector('link[rel=preload]').remove(); await script('resource');`,
    ),
    script(),
  ),
  use(
    'link-turned',
    withLink(
      asScript,
      `document.querySelector('link[rel=preload]').href = 'other'; await script('resource');`,
    ),
    script(),
    served,
    { other: script() },
  ),
  use(
    'link-in-shadow',
    `const host = document.body.appendChild(document.createElement('p')).attachShadow({ mode: 'closed' });
    const link = Object.assign(document.createElement('link'), { rel: 'preload', as: 'script', href: 'resource' });
    await new Promise((resolve) => { link.onload = resolve; host.append(link); });
    await script('resource');`,
    script(),
  ),
  use(
    'link-then-style',
    withLink('as="style" href="resource"', `await style('resource');`),
    style(),
  ),
];
