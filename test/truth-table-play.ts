import { setTimeout as sleep } from 'node:timers/promises';
import { type Judgement, judge } from '@cachescope/model/cache-source-judgement.ts';
import { attribute } from '@cachescope/model/cache-source.ts';
import type { EvidenceDepth } from '@cachescope/model/evidence.ts';
import type { Load, Resource } from '@cachescope/model/load.ts';
import type { Attribution } from '@cachescope/model/sample.ts';
import type { Origin } from '@cachescope/origin/server.ts';
import {
  doneFile,
  type Situation,
  situationPath,
  type Step,
} from '@cachescope/origin/situations/situation.ts';
import type { WatchedBrowser } from './truth-table-browser.ts';

/** What came of playing a situation once. */
export interface Played {
  situation: Situation;
  depth: EvidenceDepth;
  /** null: the load holds no use of the judged file. */
  resource: Resource | null;
  attribution: Attribution;
  judgement: Judgement;
  /** Statuses with which the origin answered the requests for the judged file during the last step. */
  atOrigin: (number | null)[];
}

/** A document that has not told by then that it is done will not, ms. */
const doneLimitMs = 60_000;
/** How long a witness may take to tell, after a document is done, ms. */
const toldLimitMs = 6000;
/** The last events of a use come after its document is done; a load is read when nothing has changed for so long, ms. */
const settleMs = 350;

let plays = 0;

/** Plays one situation under a path of its own, so that no cache knows it, and judges the verdict on it. */
export async function play(
  situation: Situation,
  depth: EvidenceDepth,
  origin: Origin,
  browser: WatchedBrowser,
): Promise<Played> {
  const { directory, mark } = await stage(situation, depth, origin, browser);
  const resource = await judgedUse(browser, depth, directory, situation);
  const attribution = attribute(resource?.evidence ?? {});
  const path = directory + (situation.target ?? situation.judged);
  return {
    situation,
    depth,
    resource,
    attribution,
    judgement: judge(attribution, situation.truth.answer),
    atOrigin: origin.log
      .since(mark)
      .filter((request) => request.path === path)
      .map(({ status }) => status),
  };
}

/** How often a situation is set up anew that did not come about. */
const mostTries = 8;

/** Takes the steps of a situation until it has come about, as the origin's log tells. */
async function stage(
  situation: Situation,
  depth: EvidenceDepth,
  origin: Origin,
  browser: WatchedBrowser,
): Promise<{ directory: string; mark: number }> {
  const base = situation.isSecure ? origin.secure?.url : origin.url;
  for (let tries = 1; ; tries++) {
    const directory = situationPath(`${depth}-${plays++}`, situation.name, '');
    const mark = await takeSteps(situation.steps, {
      origin,
      browser,
      donePath: directory + doneFile,
      urlOf: (file) => `${base}${directory}${file}`,
    });
    if (tries === mostTries || cameAbout(situation, directory, origin, mark))
      return { directory, mark };
  }
}

/** Chromium may leave an early hint unheeded: then the origin was asked only after it had sent the document. */
function cameAbout(
  { truth, judged, atOrigin }: Situation,
  directory: string,
  origin: Origin,
  mark: number,
): boolean {
  if (truth.answer !== 'early-hints' || atOrigin?.length !== 1) return true;
  const requests = origin.log.since(mark);
  const hinted = requests.find(({ path }) => path === directory + judged);
  const document = requests.find(({ path }) => path === `${directory}page`);
  return (hinted?.receivedAt ?? '') < (document?.finishedAt ?? '');
}

interface Stage {
  origin: Origin;
  browser: WatchedBrowser;
  donePath: string;
  urlOf: (file: string) => string;
}

/** Takes all steps, and returns the origin's mark before the last. */
async function takeSteps(steps: readonly Step[], stage: Stage): Promise<number> {
  const { origin, browser, donePath } = stage;
  let mark = origin.log.mark();
  await browser.turnTo(0);
  for (const step of steps) {
    mark = origin.log.mark();
    await take(step, stage);
    if (step.kind === 'wait' || step.kind === 'relaunch') continue;
    await requested(origin, mark, donePath);
  }
  return mark;
}

async function take(step: Step, { browser, urlOf }: Stage): Promise<void> {
  switch (step.kind) {
    case 'visit':
      if (step.inNewTab) await browser.turnTo(1);
      return browser.visit(urlOf(step.file));
    case 'reload':
      return browser.reload();
    case 'relaunch':
      return browser.relaunch();
    case 'wait':
      return sleep(step.forMs);
  }
}

async function requested(origin: Origin, mark: number, path: string): Promise<void> {
  const end = Date.now() + doneLimitMs;
  while (!origin.log.since(mark).some((request) => request.path === path)) {
    if (Date.now() > end) throw new Error(`no document asked for ${path} in ${doneLimitMs} ms`);
    await sleep(20);
  }
}

/** The judged use in the newest load of the play, when every witness has told; null when there is none. */
async function judgedUse(
  browser: WatchedBrowser,
  depth: EvidenceDepth,
  directory: string,
  situation: Situation,
): Promise<Resource | null> {
  const end = Date.now() + toldLimitMs;
  let before = '';
  for (;;) {
    await sleep(settleMs);
    const load = await newestLoad(browser, directory);
    const resource = load ? lastUse(load, directory, situation) : null;
    const now = JSON.stringify(resource);
    const isTold = resource !== null && resource.evidence[depth] !== undefined && now === before;
    if (isTold || Date.now() > end) return resource;
    before = now;
  }
}

/** A service worker's own fetch is a use of its own, and so is the loser of a race that DevTools lists: not the page's. */
function lastUse(
  { resources }: Load,
  directory: string,
  { judged, hasNoEntry = false, truth }: Situation,
): Resource | null {
  const isInUrl = judged.endsWith(':');
  const uses = resources.filter(
    ({ url, context }) =>
      context !== 'service-worker' &&
      (isInUrl ? url.startsWith(judged) : new URL(url).pathname === directory + judged),
  );
  const hasEntry = ({ evidence }: Resource) => Boolean(evidence.page?.timing);
  const candidates = uses.filter((use) => use.evidence.page && hasEntry(use) !== hasNoEntry);
  // The situation is the first use; a later entry may be the browser's own asking anew.
  return (truth.answer === 'stale-while-revalidate' ? candidates[0] : candidates.at(-1)) ?? null;
}

async function newestLoad(browser: WatchedBrowser, directory: string): Promise<Load | undefined> {
  const heads = await browser.instrument().loads();
  const [newest] = heads
    .filter(({ url }) => new URL(url).pathname.startsWith(directory))
    .toSorted((left, right) => right.startedAt.localeCompare(left.startedAt));
  return newest && browser.instrument().load(newest.id);
}
