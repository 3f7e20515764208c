import { setTimeout as pause } from 'node:timers/promises';
import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import { judge, type Judgement } from '@cachescope/model/attribution/judgement.ts';
import { attribute } from '@cachescope/model/attribution/cache-source.ts';
import type { Load, Resource } from '@cachescope/model/load/load.ts';
import type { Attribution } from '@cachescope/model/run/sample.ts';
import type { Origin } from '@cachescope/origin/server.ts';
import {
  doneFile,
  type Outcome,
  sceneOf,
  type Situation,
  situationPath,
  type Step,
} from '@cachescope/origin/situations/situation.ts';
import { judgedRequests, outcomeOf } from './outcome.ts';
import { isUnseen, type WatchingName, watchings } from './watching.ts';
import type { WatchedBrowser } from './watched-browser.ts';

/** The result of one run of a situation. */
export interface Played {
  situation: Situation;
  watching: WatchingName;
  /** The outcome that the origin's log shows; null: none of those that the situation states. */
  outcome: Outcome | null;
  /** Statuses with which the origin answered the requests for the judged file during the last step. */
  atOrigin: (number | null)[];
  /** null: the load has no use of the judged file. */
  resource: Resource | null;
  /** Rows of the load for the judged file: one for each use. */
  rows: readonly Resource[];
  attribution: Attribution;
  /** Witnesses that never reported the document's last request: they may lack others too. */
  unreported: readonly EvidenceDepth[];
  /** Compared with the truth of the outcome; null without an outcome. */
  judgement: Judgement | null;
}

let plays = 0;

/**
 * Runs the situations of one scene once, under a path of its own that no cache knows, and judges each verdict by the
 * outcome.
 */
export async function play(
  scene: readonly [Situation, ...Situation[]],
  watching: WatchingName,
  origin: Origin,
  browser: WatchedBrowser,
): Promise<Played[]> {
  const playing = `${watching}-${plays++}`;
  const [first] = scene;
  const pathOf = (file: string) => situationPath(playing, sceneOf(first), file);
  const { mark, takenAtMs, isDone } = await takeSteps(first, { origin, browser, pathOf });
  if (!isDone) return scene.map((situation) => ({ situation, watching, ...notPlayed }));
  const { loadOf } = first;
  const isWhole = (candidate: Load): boolean =>
    loadOf !== undefined ||
    scene.every((situation) => {
      const came = outcomeOf(situation, { requests: origin.log.since(mark), pathOf });
      // A situation without an outcome is not judged.
      if (!came || isUnseen(situation.name, watching)) return true;
      return judgedUse(candidate, situation, came, pathOf) !== null;
    });
  const last = await completeLoad(browser, { watching, pathOf, takenAtMs, isWhole });
  const unreported = silentWitnesses(last, watching, pathOf(doneFile));
  const load =
    (loadOf === undefined ? undefined : await newestLoad(browser, pathOf(loadOf), 0)) ?? last;
  const lastStep = { requests: origin.log.since(mark), pathOf };
  return scene.map((situation): Played => {
    const outcome = outcomeOf(situation, lastStep);
    const resource = judgedUse(load, situation, outcome ?? situation, pathOf);
    const attribution = attribute(resource?.evidence ?? {});
    return {
      situation,
      watching,
      outcome,
      atOrigin: judgedRequests(situation, lastStep).map(({ status }) => status),
      resource,
      rows: usesOf(load, situation, pathOf),
      attribution,
      unreported,
      judgement: outcome && judgementOf(attribution, outcome),
    };
  });
}

/** The rest of a play whose document never reported that it was done. */
const notPlayed = {
  outcome: null,
  atOrigin: [],
  resource: null,
  rows: [],
  attribution: attribute({}),
  unreported: [],
  judgement: null,
};

/** Compares a verdict with the truth of an outcome. */
export function judgementOf(attribution: Attribution, { truth, orAnswer }: Outcome): Judgement {
  if (orAnswer !== undefined && judge(attribution, orAnswer) === 'right') return 'right';
  return judge(attribution, truth.answer);
}

type PathOf = (file: string) => string;

/** Where the steps of a situation are taken. */
interface Stage {
  origin: Origin;
  browser: Pick<WatchedBrowser, 'turnTo' | 'visit' | 'reload' | 'relaunch'>;
  pathOf: PathOf;
}

/** After this time, ms, a document that is not done never will be: its situation has no outcome. */
const stuckMs = 180_000;

/** The result of the steps. */
export interface Taken {
  /** The origin's mark, and the wall clock, ms, before the last step. */
  mark: number;
  takenAtMs: number;
  /** Every document is done. */
  isDone: boolean;
}

/** Takes the steps of a situation; each document tells the origin when it is done. */
export async function takeSteps({ steps, isSecure }: Situation, stage: Stage): Promise<Taken> {
  const { origin, browser, pathOf } = stage;
  const base = isSecure ? origin.secure?.url : origin.url;
  const now = () => ({ mark: origin.log.mark(), takenAtMs: Date.now(), isDone: true });
  await browser.turnTo(0);
  let last = now();
  for (const step of steps) {
    last = now();
    await take(step, browser, (file) => `${base}${pathOf(file)}`);
    if (step.kind === 'relaunch') continue;
    const isDone = await Promise.race([
      origin.log.first(last.mark, ({ path }) => path === pathOf(doneFile)).then(() => true),
      pause(stuckMs, false, { ref: false }),
    ]);
    if (!isDone) return { ...last, isDone };
  }
  return last;
}

async function take(
  step: Step,
  browser: Stage['browser'],
  urlOf: (file: string) => string,
): Promise<void> {
  switch (step.kind) {
    case 'visit':
      if (step.inNewTab) await browser.turnTo(1);
      return browser.visit(urlOf(step.file));
    case 'reload':
      return browser.reload(step.bypassCache ?? false);
    case 'relaunch':
      return browser.relaunch();
  }
}

/** Interval between two readings of a load, ms. */
const lookAgainMs = 100;

/** Time after which an idle page reports a use without an entry, ms. */
const withoutEntryMs = 1000;
/** A use that is not reported this long after the last one, ms, was not seen. */
const unseenMs = 60_000;

/** Conditions for a complete load. */
interface CompleteWhen {
  watching: WatchingName;
  pathOf: PathOf;
  /** Wall clock, ms. */
  takenAtMs: number;
  /** Whether the load has every use that this depth can see. */
  isWhole: (load: Load) => boolean;
}

/** The newest load of the last step, once each witness has reported all of it. */
async function completeLoad(browser: WatchedBrowser, when: CompleteWhen): Promise<Load> {
  const { watching, pathOf, takenAtMs, isWhole } = when;
  for (;;) {
    const readAtMs = Date.now();
    const load = await newestLoad(browser, pathOf(''), takenAtMs);
    let pauseMs = lookAgainMs;
    if (load && silentWitnesses(load, watching, pathOf(doneFile)).length === 0) {
      const sinceMs = readAtMs - lastEndMs(load);
      const isAll = isWhole(load);
      if (sinceMs > (isAll ? withoutEntryMs : unseenMs)) return load;
      // Reading a load takes processor time from the browser that is watched.
      if (isAll) pauseMs = Math.max(lookAgainMs, withoutEntryMs - sinceMs + 1);
    }
    // A witness that never reported the last request has nothing more to report.
    if (load && readAtMs - takenAtMs > stuckMs) return load;
    await pause(pauseMs);
  }
}

/** Wall clock, ms. */
function lastEndMs({ startedAt, resources }: Load): number {
  const ends = resources.map(({ startMs, durationMs }) => startMs + (durationMs ?? 0));
  return Date.parse(startedAt) + Math.max(...ends);
}

/**
 * The witnesses that have not reported the document's last request, that for `donePath`. Each reports in order: one that
 * has reported it has reported all before. Only a use without an entry comes later.
 */
function silentWitnesses(
  { resources }: Load,
  watching: WatchingName,
  donePath: string,
): EvidenceDepth[] {
  const last = resources.filter(({ url }) => pathOfUrl(url) === donePath);
  const { witnesses } = watchings[watching];
  return witnesses.filter((witness) => !last.some(({ evidence }) => evidence[witness]));
}

function pathOfUrl(url: string): string {
  return new URL(url).pathname;
}

/**
 * A service worker's own fetch is a use of its own, and so is the loser of a race that DevTools lists: not the page's.
 * Where the page has no use, the service worker's own script may be judged.
 */
function usesOf({ resources }: Load, { judged, truth }: Situation, pathOf: PathOf): Resource[] {
  const isInUrl = judged.endsWith(':');
  const uses = resources.filter(({ url, finalUrl = url }) =>
    isInUrl
      ? url.startsWith(judged)
      : [url, finalUrl].some((each) => pathOfUrl(each) === pathOf(judged)),
  );
  const ofPage = uses.filter(({ context }) => context !== 'service-worker');
  const mayBeOwn = !truth.answer.startsWith('service-worker');
  return ofPage.length === 0 && mayBeOwn ? uses : ofPage;
}

/** The row of a load that a situation judges; null: it has none. */
export function judgedUse(
  load: Load,
  situation: Situation,
  { hasNoEntry = false, truth }: Outcome,
  pathOf: PathOf,
): Resource | null {
  const uses = usesOf(load, situation, pathOf);
  const hasEntry = ({ evidence: { page } }: Resource) => Boolean(page?.timing || page?.blockedBy);
  const ofPage = uses.filter((use) => use.evidence.page && hasEntry(use) !== hasNoEntry);
  // Where the page cannot see the use, another witness may.
  const candidates = ofPage.length > 0 ? ofPage : uses.filter(({ evidence }) => !evidence.page);
  // The situation is the first use; a later entry may be the browser's own second request.
  return (truth.answer === 'stale-while-revalidate' ? candidates[0] : candidates.at(-1)) ?? null;
}

async function newestLoad(
  browser: WatchedBrowser,
  directory: string,
  fromMs: number,
): Promise<Load | undefined> {
  const heads = await browser.instrument().loads();
  const [newest] = heads
    .filter(
      ({ url, startedAt }) =>
        Date.parse(startedAt) >= fromMs && pathOfUrl(url).startsWith(directory),
    )
    .toSorted((left, right) => right.startedAt.localeCompare(left.startedAt));
  return newest && browser.instrument().load(newest.id);
}
