import { madeUpPage } from '@cachescope/model/fixtures/pageload.ts';
import { expect, test } from 'vitest';
import type { Privilege } from '../privilege.ts';
import type { Tools } from './experiment.ts';
import { fill } from './fill/experiment.ts';
import { micro } from './micro/experiment.ts';
import { pageload } from './pageload/experiment.ts';

/** A machine that cannot drop the page cache; `chromium` null: it has no browser either. */
function toolsWith(chromium: string | null): Tools {
  const dropPageCache = () => Promise.reject(new Error('no root'));
  return {
    privilege: { dropPageCache } as unknown as Privilege,
    say: () => undefined,
    requireChromium: () =>
      chromium === null ? Promise.reject(new Error('none')) : Promise.resolve(chromium),
    findChromium: async () => '',
    missingForBrowser: () => [],
  };
}

/** The plan that these words make. */
function planned<Asked>(
  { options }: { options: { read: (typed: never) => { asked: Asked } } },
  typed: object,
) {
  return options.read(typed as never).asked;
}

test('micro names cold reads that a machine cannot take, and only those of its plan', async () => {
  const leftOut = async (parts: string) => {
    const asked = planned(micro, { parts });
    const found = { ...asked, plan: { ...asked.plan, storage: 'none' as const } };
    return (await micro.requirements(found, toolsWith('chromium'))).leftOut;
  };
  expect(await leftOut('list')).toEqual(['cold reads']);
  expect(await leftOut('table')).toEqual([]);
});

test('pageload names cold loads that a machine cannot take', async () => {
  const { plan } = planned(pageload, { sample: 'news' });
  const read = { page: madeUpPage, bodies: new Map(), notes: [] };
  const found = { plan: { ...plan, storage: 'none' as const }, read, headful: false };
  expect((await pageload.requirements(found, toolsWith('chromium'))).leftOut).toEqual([
    'cold loads',
  ]);
});

test('fill names systems and questions that a machine cannot take', async () => {
  const asked = planned(fill, { systems: 'origin,browser-page' });
  const found = await fill.requirements({ ...asked, patched: null }, toolsWith(null));
  expect(found.leftOut).toEqual(['browser-page', ...asked.plan.questions]);
  const none = { ...asked, storage: 'none' as const, patched: null };
  expect((await fill.requirements(none, toolsWith(null))).leftOut).not.toContain('slow-disk');
});
