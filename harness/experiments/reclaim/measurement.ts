import type { ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import type { ReplayedRequest } from '@cachescope/model/reclaim/recorded-request.ts';
import type { ReclaimLine, ReclaimRun } from '@cachescope/model/reclaim/run.ts';
import type { RunSession } from '../../lab/run-session.ts';
import { openLiveView } from '../../results/live-view.ts';
import type { Found } from '../experiment.ts';
import { openChromiumSystem } from './chromium.ts';
import { openOriginSystem } from './node.ts';
import { ReclaimRecord } from './record.ts';
import type { ReclaimSystem } from './system.ts';

/** The requirements of a cache under load. */
export interface ReclaimFound extends Found {
  plan: ReclaimPlan;
  replay: readonly ReplayedRequest[];
}

type ReclaimSession = RunSession<ReclaimRun, ReclaimLine, ReclaimFound>;

/** Number of windows of a plan. */
export function plannedWindows({ timeMs, windowMs }: ReclaimPlan): number {
  return Math.ceil(timeMs / windowMs);
}

/**
 * Puts a cache under the load of the plan and samples it window by window. Returns why the load ended early; null: it
 * did not.
 */
export async function takeReclaim(session: ReclaimSession): Promise<string | null> {
  const { found, path, extensionDirectory, progress, resources } = session;
  const { plan } = found;
  const live = resources.use(await openLiveView(path, 'reclaim', extensionDirectory));
  progress.step(`Follow it in a browser: ${live.url}`);
  progress.step(`Starting the system under load: ${plan.system}`);
  const system = await openSystem(session);
  const { storage } = system;
  const chromium = system.chromium ?? { version: 'not used', path: '', flags: [] };
  const run = await session.begin({ chromium, storage, timerStepMs: null }, { plan });
  const reason = await new ReclaimRecord(plan, system, session).take();
  run.warnings.push(...system.warnings());
  // Some flags of Chromium are known only after it has run.
  if (system.chromium) run.environment.chromium = system.chromium;
  return reason;
}

function openSystem({ found, privilege, resources }: ReclaimSession): Promise<ReclaimSystem> {
  const { plan, replay, chromiumPath } = found;
  if (plan.system === 'origin') return openOriginSystem(plan, replay, resources);
  return openChromiumSystem(plan, replay, { chromiumPath, privilege }, resources);
}
