import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attribute } from '@cachescope/model/attribution/cache-source.ts';
import { judge, type Judgement } from '@cachescope/model/attribution/judgement.ts';
import { readHar } from '@cachescope/model/har/import.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import type { Attribution } from '@cachescope/model/run/sample.ts';
import { type Origin, startOrigin } from '@cachescope/origin/server.ts';
import { doneFile } from '@cachescope/origin/situations/situation.ts';
import { situations } from '@cachescope/origin/situations/situations.ts';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import {
  type DrivenBrowser,
  isFile,
  stage,
  startDrivenBrowser,
} from '../../harness/situations/driven-browser.ts';
import { judgedUse, judgementOf } from '../../harness/situations/play.ts';
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
const every = Number(process.env['CACHESCOPE_LIBRARY_EVERY'] ?? 24);
const part = situations.filter((_situation, index) => index % every === 0);

type Judged = [name: string, truth: string, judgement: Judgement, reasons: string];

/** None is wrong, and enough of them were judged that this means something. */
function expectTrue(judged: readonly Judged[], leastRight: number): void {
  const counts = Map.groupBy(judged, ([, , judgement]) => judgement);
  console.log([...counts].map(([judgement, { length }]) => `${judgement}: ${length}`).join(', '));
  expect(counts.get('wrong') ?? []).toEqual([]);
  expect(judged.length).toBeGreaterThan(part.length / 2);
  expect(counts.get('right')?.length).toBeGreaterThan(judged.length * leastRight);
}

test('cachescope/field is never wrong in the situations of the truth table', async () => {
  const script = await builtModule('field', 'iife');
  const judged: Judged[] = [];
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
  expectTrue(judged, 1 / 3);
});

/** A module of the package, as its users import it. */
async function imported(name: string) {
  const directory = mkdtempSync(join(tmpdir(), 'cachescope-library-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, `${name}.mjs`);
  writeFileSync(path, await builtModule(name));
  return import(path);
}

/** For a load whose requests never end, ms. */
const mostWaitMs = 20_000;
function ignoreTimeout(error: { code?: string }): void {
  if (error.code !== 'CS_WATCH_TIMEOUT') throw error;
}

interface Watched {
  load(
    options?: object,
  ): Promise<{ navigationType: string; rows: { url: string; source: string }[] }>;
  har(): object;
}

test('cachescope/puppeteer is never wrong in the situations of the truth table', async () => {
  const { watch } = await imported('puppeteer');
  const watches = new Map<Page, Watched>();
  const judged: Judged[] = [];
  await stage(
    part,
    origin,
    driven.browser,
    async (page) => void watches.set(page, await watch(page)),
    async ({ situation, outcome, page, pathOf }) => {
      const watched = watches.get(page) as Watched;
      // A page whose requests do not end is judged as it is.
      await watched.load({ timeoutMs: mostWaitMs }).catch(ignoreTimeout);
      const archive = readHar({ name: situation.name, json: watched.har() });
      if ('problems' in archive) throw new Error(archive.problems.join());
      const isJudged = ({ url }: Load) =>
        situation.loadOf === undefined || URL.parse(url)?.pathname === pathOf(situation.loadOf);
      const load = archive.value.findLast(isJudged);
      const row = load && judgedUse(load, situation, outcome, pathOf);
      if (!row) return;
      const verdict = attribute(row.evidence);
      const judgement = judgementOf(verdict, outcome);
      judged.push([situation.name, outcome.truth.answer, judgement, verdict.reasons.join('; ')]);
    },
  );
  expectTrue(judged, 2 / 3);
});

test('a page that crashes or closes is an error with a code, and two watchers see the same', async () => {
  const { watch, served, assertServed } = await imported('puppeteer');
  const page = await driven.browser.newPage();
  const [one, other]: Watched[] = [await watch(page), await watch(page)];
  await page.goto(`${origin.url}/warm-up`);
  await page.goto(`${origin.url}/page`);
  await page.evaluate(`fetch('/warm-up').then((found) => found.text())`);
  const [first, second] = [await one?.load(), await other?.load()];
  const sources = first?.rows.map(({ url, source }) => `${url} ${source}`);
  expect(sources).toContain(`${origin.url}/warm-up disk`);
  expect(second?.rows.map(({ url, source }) => `${url} ${source}`)).toEqual(sources);
  expect(served(first, 'warm-up', { from: 'cache', on: 'navigate' }).pass).toBe(true);
  expect(() => assertServed(first, /warm-up/g, { from: ['network', 'memory'] })).toThrow(
    /warm-up: disk/,
  );
  expect(() => assertServed(first, 'warm-up', { from: 'cache', on: 'reload' })).toThrow(
    /navigate, not a reload/,
  );
  expect(() => assertServed(first, 'nowhere', { from: 'cache' })).toThrow(/no resource/);
  expect(() => assertServed(first, 'warm-up', { from: 'cloud' })).toThrow(/names no source/);

  const crashed = new Promise((resolve) => page.once('error', resolve));
  void page.goto('chrome://crash').catch(() => undefined);
  await crashed;
  await expect(one?.load({ timeoutMs: 20_000 })).rejects.toMatchObject({ code: 'CS_WATCH_GONE' });
  await page.close();
  await expect(other?.load()).rejects.toMatchObject({ code: 'CS_WATCH_GONE' });
});
