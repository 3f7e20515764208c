import { judge, type Judgement } from '@cachescope/model/attribution/judgement.ts';
import type { Attribution } from '@cachescope/model/run/sample.ts';
import { type Origin, startOrigin } from '@cachescope/origin/server.ts';
import { doneFile } from '@cachescope/origin/situations/situation.ts';
import { situations } from '@cachescope/origin/situations/situations.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type DrivenBrowser,
  isFile,
  stage,
  startDrivenBrowser,
} from '../../harness/situations/driven-browser.ts';
import { builtModule } from '../../scripts/package/library.ts';
import { hangLimitMs } from '../hang-limit.ts';

type FieldSource = Pick<Attribution, 'source' | 'detail' | 'reasons'> & { url: string };

let origin: Origin;
let driven: DrivenBrowser;

beforeAll(async () => {
  origin = await startOrigin({ workloads: [], situations: true });
  driven = await startDrivenBrowser(origin);
});
afterAll(async () => {
  await driven?.close();
  await origin?.close();
});

/** A part of the truth table: every so many situations, so that each kind is among them. */
const every = Number(process.env['CACHESCOPE_LIBRARY_EVERY'] ?? 12);
const part = situations.filter((_situation, index) => index % every === 0);

test('cachescope/field is never wrong in the situations of the truth table', async () => {
  const script = await builtModule('field', 'iife');
  const judged: [name: string, truth: string, judgement: Judgement, told: string][] = [];
  await stage(
    part,
    origin,
    driven.browser,
    async (page) => {
      await page.evaluateOnNewDocument(
        `${script};globalThis.told = []; cachescope.onCacheSource(({ entry, ...found }) => told.push(found));`,
      );
    },
    async (staged) => {
      const { situation, outcome, page } = staged;
      let told: FieldSource[] = [];
      const isTold = async () => {
        told = (await page.evaluate('globalThis.told').catch(() => [])) as FieldSource[];
        return told.some(({ url }) => isFile(staged, doneFile, url));
      };
      await vi.waitUntil(isTold, { timeout: hangLimitMs, interval: 50 });
      // Of a use without an entry a page has only that of another use.
      if (outcome.hasNoEntry) return;
      const found = told.findLast(({ url }) => isFile(staged, situation.judged, url));
      if (!found) return;
      const { answer } = outcome.truth;
      const says = [answer, outcome.orAnswer ?? answer].map((truth) => judge(found, truth));
      const judgement = says.find((each) => each !== 'wrong') ?? 'wrong';
      judged.push([situation.name, answer, judgement, found.reasons.join('; ')]);
    },
  );
  expect(judged.filter(([, , judgement]) => judgement === 'wrong')).toEqual([]);
  const counts = Map.groupBy(judged, ([, , judgement]) => judgement);
  console.log([...counts].map(([judgement, { length }]) => `${judgement}: ${length}`).join(', '));
  expect(judged.length).toBeGreaterThan(part.length / 2);
  expect(counts.get('right')?.length).toBeGreaterThan(judged.length / 3);
});
