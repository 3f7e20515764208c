import { join } from 'node:path';
import { startOrigin } from '@cachescope/origin/server.ts';
import { pagePath } from '@cachescope/origin/workloads/urls.ts';
import { builtExtension } from '../browser/extension-build.ts';
import { type KnownPresets, knownPresets } from '../browser/known-features.ts';
import { launchBrowser } from '../browser/launch.ts';
import { CachescopeError, messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { makeWorkDirectory } from '../storage/journal/work-directory.ts';
import { sandbox } from './checks/browser.ts';
import {
  type Answer,
  answered,
  type Finding,
  note,
  ok,
  refused,
  unknown,
  warning,
} from './finding.ts';

const timerCheck = {
  id: 'timer',
  why: 'The clock cannot resolve reads that are shorter than a few of its steps.',
};

/** What a start of the browser shows. */
export interface StartFindings {
  /** False where it did not start: then nothing else can be found out about it. */
  isStarted: boolean;
  timer: Finding;
  /** Absent for root, who has none. */
  sandbox?: Finding;
}

/** Launches Chromium as a run does, and measures the timer resolution in the page that takes the measurements. Never throws. */
export async function startFindings(
  chromiumPath: string,
  privilege: Privilege,
): Promise<StartFindings> {
  const started = (answer: Answer) =>
    process.getuid?.() === 0 ? {} : { sandbox: answered(sandbox, answer) };
  try {
    const timer = timerAnswer(await timerStep(chromiumPath, privilege));
    // As a user it is launched without --no-sandbox, and ends when it finds none.
    return {
      isStarted: true,
      timer,
      ...started(ok('Chromium was started with its sandbox')),
    };
  } catch (error) {
    const what = `The timer could not be measured: ${messageOf(error)}`;
    // Without a browser nothing can be measured.
    const isStart = error instanceof CachescopeError && error.code === 'CS_BROWSER_LAUNCH';
    const todo =
      (error instanceof CachescopeError && error.hint) ||
      'Start Chromium by hand to see its output.';
    if (!isStart) return { isStarted: true, timer: answered(timerCheck, unknown(what, todo)) };
    const reason = refused(messageOf(error), todo);
    // Root has no sandbox, whose finding would give the reason.
    if (process.getuid?.() === 0) return { isStarted: false, timer: answered(timerCheck, reason) };
    const timer = answered(
      timerCheck,
      unknown('The timer was not measured: Chromium did not start'),
    );
    return { isStarted: false, timer, ...started(reason) };
  }
}

/** Timer resolution of a cross-origin isolated page, ms (High Resolution Time, section 7: 5 microseconds). */
const isolatedStepMs = 0.005;

/** The finding on a measured resolution, ms; null when the page measured none. */
export function timerAnswer(stepMs: number | null): Finding {
  if (stepMs === null)
    return answered(timerCheck, unknown('The page observed no step of its clock'));
  const what = `The clock in the page steps by ${(stepMs * 1000).toFixed(0)} µs`;
  // Steps are computed as differences of doubles.
  if (stepMs <= isolatedStepMs * 1.5) return answered(timerCheck, ok(what, null, stepMs));
  const todo =
    'The page is not isolated: check whether a policy or flag of this Chromium prevents it.';
  return answered(timerCheck, warning(what, todo, stepMs));
}

async function timerStep(executablePath: string, privilege: Privilege): Promise<number | null> {
  await using resources = new AsyncDisposableStack();
  const work = await makeWorkDirectory('timer', privilege);
  resources.defer(work.remove);
  const origin = await startOrigin({ workloads: [] });
  resources.defer(() => origin.close());
  const browser = await launchBrowser({
    executablePath,
    extensionDirectory: await builtExtension(),
    profileDirectory: join(work.path, 'profile'),
    cacheDirectory: join(work.path, 'cache'),
    temporaryDirectory: join(work.path, 'tmp'),
    headful: false,
  });
  resources.defer(() => browser.close());
  const { timerStepMs } = await browser.instrument.open(origin.url + pagePath);
  return timerStepMs;
}

const featuresCheck = {
  id: 'features',
  why: 'Presets of --features need a browser that knows their features.',
};

/** Finds out which feature presets a browser supports. Never throws. */
export async function featuresFinding(chromiumPath: string): Promise<Finding> {
  try {
    return featuresAnswer(await knownPresets(chromiumPath));
  } catch (error) {
    const what = `The features of the browser are unknown: ${messageOf(error)}`;
    return answered(featuresCheck, unknown(what));
  }
}

/** The finding on the presets that a browser supports and lacks. */
export function featuresAnswer({ has, lacks }: KnownPresets): Finding {
  const list = (presets: KnownPresets['has']) => presets.map(({ name }) => name).join(', ');
  if (lacks.length === 0) return answered(featuresCheck, ok(`Feature presets: ${list(has)}`));
  const what = `Feature presets: ${list(has) || 'none'}; not in this browser: ${list(lacks)}`;
  return answered(featuresCheck, note(what));
}
