import type { ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import type { ReplayedRequest } from '@cachescope/model/reclaim/recorded-request.ts';
import type { ReclaimLine, ReclaimRun } from '@cachescope/model/reclaim/run.ts';
import type { RunSession } from '../../lab/run-session.ts';
import { keepProof } from '../../lab/proven-delay.ts';
import { openLiveView } from '../../results/live-view.ts';
import type { Found } from '../experiment.ts';
import { openChromiumSystem } from './chromium.ts';
import { openOriginSystem } from './node.ts';
import { ReclaimRecord } from './record.ts';

/** The requirements of a cache under load. */
export interface ReclaimFound extends Found {
  plan: ReclaimPlan;
  replay: readonly ReplayedRequest[];
}

/** Number of windows of a plan. */
export function plannedWindows({ timeMs, windowMs }: ReclaimPlan): number {
  return Math.ceil(timeMs / windowMs);
}

/**
 * Puts a cache under the load of the plan and samples it window by window. Returns why the load ended early; null: it
 * did not.
 */
export async function measureReclaim(
  session: RunSession<ReclaimRun, ReclaimLine, ReclaimFound>,
): Promise<string | null> {
  const { found, path, extensionDirectory, privilege, progress, resources } = session;
  const { plan, replay, chromiumPath } = found;
  const live = resources.use(await openLiveView(path, 'reclaim', extensionDirectory));
  progress.step(`Follow it in a browser: ${live.url}`);
  progress.step(`Starting the system under load: ${plan.system}`);
  const system =
    plan.system === 'origin'
      ? await openOriginSystem(plan, replay, resources)
      : await openChromiumSystem(plan, replay, { chromiumPath, privilege }, resources);
  const { chromium, storage, proof } = system;
  const run = await session.begin({ chromium, storage, timerStepMs: null }, { plan });
  if (proof) keepProof(session, proof);
  const reason = await new ReclaimRecord(plan, system, session).take();
  run.warnings.push(...system.warnings());
  return reason;
}
