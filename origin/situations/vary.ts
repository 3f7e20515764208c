import { page, storable, text, unstorable, visit } from './page.ts';
import type { ServedFile, Situation } from './situation.ts';

/** Stored, and to be chosen by these request header fields (RFC 9111 section 4.1). */
const varies = (vary: string, more: Partial<ServedFile> = {}) =>
  text({ headers: { ...storable, vary }, ...more });
const asks = (value: string) =>
  page(`await read('resource', { headers: { 'x-variant': '${value}' } });`);
const cookie = (value: string) =>
  page(
    `document.cookie = 'variant=${value}; path=' + new URL(here).pathname; await read('resource');`,
  );

function situation(
  name: string,
  outcome: Pick<Situation, 'truth' | 'atOrigin'>,
  pages: readonly [ServedFile, ServedFile],
  resource: ServedFile,
): Situation {
  const [first, second] = pages;
  return {
    name: `vary-${name}`,
    files: { first, second, resource },
    steps: [visit('first'), visit('second')],
    judged: 'resource',
    ...outcome,
  };
}
const network = { truth: { answer: 'network' }, atOrigin: [200] } as const;
const disk = { truth: { answer: 'disk' }, atOrigin: [] } as const;

/** Vary: whether the stored response answers the next request. */
export const vary: readonly Situation[] = [
  situation('same-field', disk, [asks('a'), asks('a')], varies('x-variant')),
  situation('other-field', network, [asks('a'), asks('b')], varies('x-variant')),
  situation(
    'other-field-confirmed',
    { truth: { answer: 'revalidated/http-cache' }, atOrigin: [304] },
    [asks('a'), asks('b')],
    varies('x-variant', { isConditional: true }),
  ),
  situation('any', network, [asks('a'), asks('a')], varies('*')),
  situation('same-cookie', disk, [cookie('a'), cookie('a')], varies('cookie')),
  situation('other-cookie', network, [cookie('a'), cookie('b')], varies('cookie')),
  situation(
    'unstorable',
    network,
    [asks('a'), asks('a')],
    text({ headers: { ...unstorable, vary: 'x-variant' } }),
  ),
];
