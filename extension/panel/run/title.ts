import type { Run } from '@cachescope/model/run/run.ts';

/** The title of a page that shows a run. */
export function runTitle({ plan, experiment }: Run): string {
  const subject = 'workload' in plan ? plan.workload.title : 'url' in plan ? plan.url : experiment;
  return `Cachescope: ${subject}`;
}
