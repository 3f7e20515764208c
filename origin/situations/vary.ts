import { disk, network, revalidated } from './outcomes.ts';
import { page, storable, text, unstorable, visit } from './page.ts';
import { type Outcome, type ServedFile, situation, type Situation } from './situation.ts';

/** Stored, and to be chosen by these request header fields (RFC 9111 section 4.1). */
const varies = (vary: string, more: Partial<ServedFile> = {}) =>
  text({ headers: { ...storable, vary }, ...more });
const asks = (value: string) =>
  page(`await read('resource', { headers: { 'x-variant': '${value}' } });`);
const cookie = (value: string) =>
  page(
    `document.cookie = 'variant=${value}; path=' + new URL(here).pathname; await read('resource');`,
  );

const varied = (
  name: string,
  outcome: Outcome,
  [first, second]: readonly [ServedFile, ServedFile],
  resource: ServedFile,
): Situation =>
  situation(`vary-${name}`, [visit('first'), visit('second')], outcome, {
    first,
    second,
    resource,
  });

/** Vary: whether the stored response answers the next request. */
export const vary: readonly Situation[] = [
  varied('same-field', disk, [asks('a'), asks('a')], varies('x-variant')),
  varied('other-field', network, [asks('a'), asks('b')], varies('x-variant')),
  varied(
    'other-field-confirmed',
    revalidated,
    [asks('a'), asks('b')],
    varies('x-variant', { isConditional: true }),
  ),
  varied('any', network, [asks('a'), asks('a')], varies('*')),
  varied('same-cookie', disk, [cookie('a'), cookie('a')], varies('cookie')),
  varied('other-cookie', network, [cookie('a'), cookie('b')], varies('cookie')),
  varied(
    'unstorable',
    network,
    [asks('a'), asks('a')],
    text({ headers: { ...unstorable, vary: 'x-variant' } }),
  ),
];
