import type { LoggedRequest } from '@cachescope/origin/request-log.ts';
import type { Outcome, Situation } from '@cachescope/origin/situations/situation.ts';

/** The requests in the origin's log for the last step of a situation. */
export interface LastStep {
  requests: readonly LoggedRequest[];
  /** Path of a file in this run. */
  pathOf: (file: string) => string;
}

/** Requests for the judged file that reached the origin during the last step. */
export function judgedRequests(
  { judged, target = judged }: Situation,
  { requests, pathOf }: LastStep,
): LoggedRequest[] {
  return requests.filter(({ path }) => path === pathOf(target));
}

/** The outcome that the origin's log shows; null when it is none that the situation states. */
export function outcomeOf(situation: Situation, lastStep: LastStep): Outcome | null {
  const { otherwise = [] } = situation;
  const asked = judgedRequests(situation, lastStep);
  return [situation, ...otherwise].find((each) => fits(each, asked, lastStep)) ?? null;
}

function fits(
  { atOrigin, validatorFrom, askedBefore, alsoAsked }: Outcome,
  asked: readonly LoggedRequest[],
  { requests, pathOf }: LastStep,
): boolean {
  const statuses = asked.map(({ status }) => status);
  if (atOrigin && statuses.join() !== atOrigin.join()) return false;
  if (validatorFrom && asked.at(-1)?.validatorFrom !== validatorFrom) return false;
  if (alsoAsked !== undefined && !requests.some(({ path }) => path === pathOf(alsoAsked)))
    return false;
  if (askedBefore === undefined) return true;
  const other = requests.find(({ path }) => path === pathOf(askedBefore));
  return (asked[0]?.receivedAt ?? '') < (other?.finishedAt ?? '');
}
