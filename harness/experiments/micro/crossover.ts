import type { MicroCell } from '@cachescope/model/micro/slice.ts';
import { crossovers, nextSizes } from '@cachescope/model/micro/crossover.ts';
import { type TimeTask, timedReads } from '@cachescope/model/micro/task.ts';
import { microEntryPath } from '@cachescope/origin/routes/micro.ts';
import { evict } from '../../browser/cold-read.ts';
import type { SlowDisk } from '../../storage/disk.ts';
import { freshKeys, makeProfile, type MicroLab } from './lab.ts';
import { setProvenDelay } from '../../lab/proven-delay.ts';
import { inLaunch, type LaunchPages } from './launch-pages.ts';
import { shuffle } from '../../lab/schedule.ts';

/**
 * First sizes of the search, bytes; the intervals between them are halved later. The memory cache keeps no much larger
 * entry.
 */
const firstSizesBytes = [1, 4, 16, 64, 256, 1024, 4096].map((kib) => kib * 1024);
/** The bounds are close enough when the upper one is at most this many times the lower one. */
const closeness = 2;
/**
 * Maximum number of rounds: each compares sizes between the first ones, or undecided ones again in further launches.
 */
const mostRounds = 5;
/** Runs of one size through one cache in one launch. */
const runsPerLaunch = 36;
/** Fewer when the page cache is dropped before each run, which takes longer than the run. */
const coldRunsPerLaunch = 5;
/** Number of slices into which a launch divides the runs of a size; the two caches alternate. */
const turns = 3;

const caches = ['memory', 'disk'] as const;

/** The condition under which both caches are read. */
interface Condition {
  disk: SlowDisk;
  delayMs: number;
  state: 'running' | 'dropped';
}

/** Slices of the searches before any interval is halved; later rounds add more. */
export function plannedCrossoverSlices({ plan }: Pick<MicroLab, 'plan'>): number {
  const perSize = (turnsOf: number) => caches.length * turnsOf * plan.launches;
  return (
    firstSizesBytes.length * (perSize(turns) + plan.delaysMs.length * perSize(coldRunsPerLaunch))
  );
}

/**
 * Searches for the size from which hits on disk are clearly slower than hits in memory. The first round has sizes a
 * factor of four apart. Later rounds repeat the undecided sizes, and halve the interval between the last size that is
 * not slower and the first that is. On ordinary storage the page cache is warm; at each delay it is dropped before
 * every read, also before those from memory.
 */
export async function takeCrossovers(lab: MicroLab): Promise<void> {
  await search(lab, { disk: lab.ordinary, delayMs: 0, state: 'running' });
  if (!lab.slow) return;
  for (const delayMs of lab.plan.delaysMs)
    await search(lab, { disk: lab.slow, delayMs, state: 'dropped' });
}

async function search(lab: MicroLab, condition: Condition): Promise<void> {
  let sizes: readonly number[] = firstSizesBytes;
  for (let round = 0; round < mostRounds; round++) {
    await compareSizes(lab, condition, sizes, round);
    if (lab.session.shouldStop()) return;
    sizes = nextSizes(sizesSoFar(lab, condition), closeness);
    if (sizes.length === 0 || round === mostRounds - 1) return;
    const turnsOf = condition.state === 'dropped' ? coldRunsPerLaunch : turns;
    lab.session.progress.expect(sizes.length * caches.length * turnsOf * lab.plan.launches);
  }
}

function sizesSoFar(lab: MicroLab, { disk, delayMs }: Condition) {
  const { crossoverMargin: margin, launches: launchesPerRound } = lab.plan;
  const all = crossovers(lab.session.lines, { margin, launchesPerRound });
  return all.find((one) => one.storage === disk.kind && one.delayMs === delayMs)?.sizes ?? [];
}

async function compareSizes(
  lab: MicroLab,
  condition: Condition,
  sizes: readonly number[],
  round: number,
): Promise<void> {
  const { plan, session } = lab;
  const { disk, delayMs } = condition;
  const where = delayMs === 0 ? 'ordinary storage' : `read delay ${delayMs} ms`;
  for (let launch = 0; launch < plan.launches; launch++) {
    if (session.shouldStop()) return;
    const what = `${sizes.length} ${sizes.length === 1 ? 'size' : 'sizes'}`;
    session.progress.status(
      `Crossover, ${where}, round ${round + 1}, launch ${launch + 1}: ${what}`,
    );
    if (disk.kind !== 'none') await setProvenDelay(session, disk, delayMs);
    await using profile = await makeProfile(lab, `crossover-${delayMs}-${round}-${launch}`, disk);
    const jobOf = (bytes: number) => (pages: LaunchPages) =>
      compareOne(lab, pages, condition, bytes);
    await inLaunch(lab, profile, shuffle(sizes, lab.random).map(jobOf));
  }
}

/** Stores one resource in both caches and reads it from them alternately. */
async function compareOne(
  lab: MicroLab,
  pages: LaunchPages,
  { disk, delayMs, state }: Condition,
  bytes: number,
): Promise<void> {
  const isCold = state === 'dropped';
  const from = freshKeys(lab, 1);
  const taskFor = (cache: MicroCell['cache'], mostRuns: number): TimeTask => {
    const keys = { from, count: 1, stride: 1 };
    return timedReads({ cache, url: microEntryPath(cache, bytes), keys, timeMs: 60_000, mostRuns });
  };
  for (const cache of caches) await pages.prepare(taskFor(cache, 3));
  const rounds = isCold ? coldRunsPerLaunch : turns;
  for (let turn = 0; turn < rounds; turn++) {
    for (const cache of shuffle(caches, lab.random)) {
      if (isCold) await evict(disk, lab.session.privilege);
      const place = { storage: disk.kind, delayMs };
      const cell: MicroCell = { part: 'crossover', cache, row: 'hit', bytes, state, ...place };
      const task = taskFor(cache, isCold ? 1 : runsPerLaunch / turns);
      // The page has been idle since the last turn: a warm read gets a warm-up, a cold read must not.
      await pages.take(cell, { ...task, warmUpRuns: isCold ? 0 : 2 });
      lab.session.progress.advance(`${cache}, ${bytes} B, ${delayMs} ms`);
    }
  }
}
