import { flagTexts } from '../run/flags.ts';
import type { Page } from '../page/page.ts';
import { pageCacheStateWords } from '../run/page-cache-state.ts';
import { byteSize, counted, milliseconds, percent } from '../quantity.ts';
import { gapDirection } from './gap-outcomes.ts';
import type { Gap, SweepPoint } from './result.ts';
import type { SweepPlan, SweepRun } from './run.ts';
import { armLabel, seriesName, seriesOf } from './series.ts';
import type { SweepSummary } from './summary.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** The head of a sweep's page: its answer, what was measured, and the finding. */
export function sweepHead(
  { plan, environment }: SweepRun,
  { points, finding, counts }: SweepSummary,
): Pick<Page, 'title' | 'facts' | 'headline' | 'finding'> {
  const { arms, recompress, state = 'cold' } = plan;
  const flags = flagTexts(counts.flagged).join(', ');
  const last = lastJudged(points);
  const headline = last && headlineAt(last);
  return {
    title: `${list.format(seriesOf({ arms, recompress }).map(armLabel))}: reads from the disk cache`,
    facts: [
      ...workloadTitles(plan),
      ...(workloadTitles(plan).length === 1 ? [byteSize(plan.workload.resourceBytes)] : []),
      `${counted(counts.used, 'read')} in ${launchesText(points)}`,
      flags === '' ? 'none flagged' : `flagged: ${flags}`,
      plan.storage === 'none' ? 'no slow device' : plan.storage,
      ...(state === 'cold' ? [] : [pageCacheStateWords[state]]),
      environment.chromium.version,
    ],
    ...(headline !== undefined && { headline }),
    finding,
  };
}

/** The point at the largest delay that has a difference; undefined: none has. */
export function lastJudged(points: readonly SweepPoint[]): SweepPoint | undefined {
  return points.findLast(({ gaps }) => gaps.some(({ ms }) => ms !== null));
}

/** Titles of the workloads of a plan. */
export function workloadTitles({ workload, workloads = [workload] }: SweepPlan): string[] {
  return workloads.map(({ title }) => title);
}

function launchesText(points: readonly SweepPoint[]): string {
  const launches = Math.max(0, ...points.flatMap(({ arms }) => arms.map((arm) => arm.launches)));
  return launches === 1 ? '1 launch' : `${launches} launches`;
}

/** `at 10 ms`, `on the control`. */
export function whereOf({ storage, requestedDelayMs }: SweepPoint): string {
  return storage === 'none' ? 'on the control' : `at ${milliseconds(requestedDelayMs)}`;
}

/** The largest shown difference at a point; without one, what is known of the first pair. */
function headlineAt(point: SweepPoint): string | undefined {
  const size = ({ relative }: Gap) => Math.abs(relative ?? 0);
  const shown = point.gaps
    .filter(({ verdict }) => verdict.outcome === 'DIFFERENT')
    .toSorted((one, other) => size(other) - size(one));
  const gap = shown[0] ?? point.gaps.find(({ ms }) => ms !== null);
  if (!gap) return undefined;
  const { of, against, ms, relative, verdict } = gap;
  const [one, other] = [of, against].map(seriesName);
  const direction = gapDirection(gap);
  const where =
    point.storage === 'none' ? 'without a slow device' : `${whereOf(point)} of read delay`;
  if (direction === 'same')
    return `${one} is the same as ${other} ${where}, within ${percent(verdict.margin)}`;
  if (direction === 'undecided') return `Not decided ${where}: ${one} against ${other}`;
  const share = relative === null ? '' : ` (${percent(Math.abs(relative))})`;
  return `${one} is ${milliseconds(Math.abs(ms ?? 0))}${share} ${direction} than ${other} ${where}`;
}
