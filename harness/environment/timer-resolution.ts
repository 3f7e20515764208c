import { join } from 'node:path';
import { startOrigin } from '@cachescope/origin/server.ts';
import { pagePath } from '@cachescope/origin/workloads/urls.ts';
import { builtExtension } from '../browser/extension-build.ts';
import { launchBrowser } from '../browser/launch.ts';
import { messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { makeWorkDirectory } from '../storage/journal/work-directory.ts';
import type { Finding } from './finding.ts';

/** Timer resolution of a cross-origin isolated page, ms (High Resolution Time, section 7: 5 microseconds). */
const isolatedStepMs = 0.005;

const base = {
  id: 'timer',
  why: 'The clock cannot resolve reads that are shorter than a few of its steps.',
};

/** Launches Chromium and measures the timer resolution in the page that takes the measurements. Never throws. */
export async function timerFinding(chromiumPath: string, privilege: Privilege): Promise<Finding> {
  try {
    const stepMs = await timerStep(chromiumPath, privilege);
    return timerAnswer(stepMs);
  } catch (error) {
    const what = `The timer could not be measured: ${messageOf(error)}`;
    return { ...base, status: 'unknown', what, todo: 'Start Chromium by hand to see its output.' };
  }
}

/** The finding on a measured resolution, ms; null when the page measured none. */
export function timerAnswer(stepMs: number | null): Finding {
  if (stepMs === null)
    return {
      ...base,
      status: 'unknown',
      what: 'The page observed no step of its clock',
      todo: null,
    };
  const what = `The clock in the page steps by ${(stepMs * 1000).toFixed(0)} µs`;
  // Steps are computed as differences of doubles.
  if (stepMs <= isolatedStepMs * 1.5)
    return { ...base, status: 'ok', what, todo: null, value: stepMs };
  const todo =
    'The page is not isolated: check whether a policy or flag of this Chromium prevents it.';
  return { ...base, status: 'warning', what, todo, value: stepMs };
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
