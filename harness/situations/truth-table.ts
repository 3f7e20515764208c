import { verdictName } from '@cachescope/model/attribution/answer.ts';
import { evidenceDepths } from '@cachescope/model/attribution/evidence.ts';
import type { Resource } from '@cachescope/model/load/load.ts';
import type { Origin } from '@cachescope/origin/server.ts';
import { sceneOf, type Situation } from '@cachescope/origin/situations/situation.ts';
import { situations } from '@cachescope/origin/situations/situations.ts';
import { startWatchedBrowser } from './watched-browser.ts';
import { play, type Played } from './play.ts';
import { type WatchingName, watchingNames } from './watching.ts';

/**
 * The category of a situation. missing: the load has no use of the judged file; not played: the origin's log shows no
 * stated outcome, so it is not judged. twice: the load has more rows than uses, whatever the verdict.
 */
export const columns = [
  'right',
  'coarse',
  'unknown',
  'wrong',
  'missing',
  'twice',
  'not played',
] as const;

/** Number of browsers that share the situations of one way to watch: most of a run is waiting. */
const browsers = 2;

/** Scenes that run one after another in one launch. */
interface Share {
  flags: readonly string[];
  scenes: Situation[][];
}

/** Runs situations, all by default, watched in one way. */
export async function playAll(
  origin: Origin,
  watching: WatchingName,
  wanted: readonly Situation[] = situations,
): Promise<Played[]> {
  const shares = sharesOf(wanted);
  const lanes = Array.from({ length: browsers }, (_, lane) =>
    shares.filter((_share, index) => index % browsers === lane),
  );
  const playLane = async (lane: readonly Share[]) => {
    const played: Played[] = [];
    for (const share of lane) played.push(...(await playInOne(share, origin, watching)));
    return played;
  };
  return (await Promise.all(lanes.map(playLane))).flat();
}

/** Number of ways to watch that run at once. */
const atOnce = 2;

/** In these ways to watch, the tests play every situation. */
const watchedMost: ReadonlySet<WatchingName> = new Set([
  'devtools-and-webRequest',
  'debugger-and-webRequest',
]);

/** What the tests play in one way to watch: where it has few witnesses, every other scene, in turn. */
export function tested(watching: WatchingName): readonly Situation[] {
  if (watchedMost.has(watching)) return situations;
  const turn = watchingNames.filter((name) => !watchedMost.has(name)).indexOf(watching);
  const scenes = [...Map.groupBy(situations, sceneOf).values()];
  return scenes.filter((_scene, index) => (index + turn) % 2 === 0).flat();
}

/** Runs situations, all by default, in every way to watch. */
export async function playEveryWay(
  origin: Origin,
  wanted: (watching: WatchingName) => readonly Situation[] = () => situations,
): Promise<Map<WatchingName, Played[]>> {
  const played = new Map<WatchingName, Played[]>();
  const waiting = [...watchingNames];
  const playNext = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift())
      played.set(name, await playAll(origin, name, wanted(name)));
  };
  await Promise.all(Array.from({ length: atOnce }, playNext));
  return played;
}

/** The scenes that need no flags in as many shares as there are lanes; then one share for each set of flags. */
function sharesOf(wanted: readonly Situation[]): Share[] {
  const scenes = [...Map.groupBy(wanted, sceneOf).values()];
  const flagsOf = ([first]: readonly Situation[]) => first?.flags?.join(' ') ?? '';
  const { '': plain = [], ...special } = Object.fromEntries(Map.groupBy(scenes, flagsOf));
  const shares = Array.from({ length: browsers }, (_, share) => ({
    flags: [],
    scenes: plain.filter((_scene, index) => index % browsers === share),
  }));
  const others = Object.values(special).map((list) => ({
    flags: list[0]?.[0]?.flags ?? [],
    scenes: list,
  }));
  return [...shares, ...others].filter((share) => share.scenes.length > 0);
}

async function playInOne(
  { flags, scenes }: Share,
  origin: Origin,
  watching: WatchingName,
): Promise<Played[]> {
  const browser = await startWatchedBrowser(origin, watching, flags);
  try {
    const played: Played[] = [];
    for (const [first, ...others] of scenes)
      if (first) played.push(...(await play([first, ...others], watching, origin, browser)));
    return played;
  } finally {
    await browser.close();
  }
}

/** Number of these situations in a category. */
export function counts(played: readonly Played[]): Record<(typeof columns)[number], number> {
  const none = Object.fromEntries(columns.map((column) => [column, 0]));
  const counted = none as Record<(typeof columns)[number], number>;
  for (const each of played) {
    counted[countedAs(each)]++;
    if (isTwice(each)) counted.twice++;
  }
  return counted;
}

/** The column of one way to watch. */
export function countedAs({ judgement, resource }: Played): (typeof columns)[number] {
  if (!judgement) return 'not played';
  return resource ? judgement : 'missing';
}

/** Whether the load holds more rows of the judged file than the document used it. */
export function isTwice({ situation, outcome, rows }: Played): boolean {
  if (outcome === null) return false;
  // Chromium rarely reports the revalidation of a stale response to the page, as a request of its own.
  const isOwn = ({ evidence, initiatorType }: Resource) =>
    Boolean(evidence.page) && initiatorType === 'other';
  const isStale = outcome.truth.answer === 'stale-while-revalidate';
  const uses = isStale ? rows.filter((row) => !isOwn(row)) : rows;
  return uses.length > usesOf(situation);
}

/** The same, where no row says that another one may be of the same use: the reader counts it twice. */
export function isTwiceUnmarked(played: Played): boolean {
  return isTwice(played) && played.rows.every(({ unpaired = [] }) => unpaired.length === 0);
}

/** A use without an entry of its own shares that of another. */
function usesOf({ uses, hasNoEntry }: Situation): number {
  return uses ?? (hasNoEntry ? 2 : 1);
}

/** One line for each run in which a witness never reported the document's last request. */
export function unreported(played: readonly Played[]): string[] {
  return played
    .filter((each) => each.unreported.length > 0)
    .map((each) => `${each.unreported.join(', ')} of ${describePlay(each)}`);
}

/** One line for each run of the situations that had an outcome in none of their runs. */
export function neverCameAbout(played: readonly Played[]): string[] {
  const plays = [...Map.groupBy(played, ({ situation }) => situation).values()];
  return plays
    .filter((list) => list.every(({ outcome }) => !outcome))
    .flat()
    .map(describePlay);
}

/** The verdict as `source` or `source/detail`. */
export function verdictOf({ attribution }: Played): string {
  return verdictName(attribution);
}

/** Outcome and verdict of one run, in a line; with the rows where there are too many. */
export function describePlay(played: Played): string {
  const { situation, watching, outcome, atOrigin, judgement, attribution } = played;
  const came = outcome ? `came about as ${outcome.truth.answer}` : 'did not come about';
  const said = `${verdictOf(played)}, ${judgement ?? 'not judged'}`;
  const twice = isTwice(played) ? `; ${played.rows.length} rows: ${rowsOf(played)}` : '';
  return `${watching} ${situation.name}: ${came} (origin: ${atOrigin.join()}); ${said} (${attribution.reasons.join('; ')})${twice}`;
}

/** Who observed each row, and when, and whose observation may be of another row: why they were not taken for one. */
function rowsOf({ rows }: Played): string {
  return rows
    .map(({ context, initiatorType, startMs, durationMs, evidence, unpaired = [] }) => {
      const witnesses = evidenceDepths.filter((depth) => evidence[depth]).join('+');
      const end = durationMs === null ? '?' : (startMs + durationMs).toFixed(1);
      const open = unpaired.length > 0 ? ` (unpaired: ${unpaired.join('+')})` : '';
      return `${witnesses} ${context} ${initiatorType ?? '-'} ${startMs.toFixed(1)}-${end} ms${open}`;
    })
    .join(', ');
}
