import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { Origin } from '@cachescope/origin/server.ts';
import { sceneOf, type Situation } from '@cachescope/origin/situations/situation.ts';
import { situations } from '@cachescope/origin/situations/situations.ts';
import { startWatchedBrowser } from './watched-browser.ts';
import { play, type Played } from './play.ts';

/** What a situation is counted as; missing: the load holds no use of the judged file. */
export const columns = ['right', 'coarse', 'unknown', 'wrong', 'missing'] as const;

/** Most of a play is waiting: so many browsers share the situations of a depth. */
const browsers = 2;

/** Plays situations, all by default, at one depth. */
export async function playAll(
  origin: Origin,
  depth: EvidenceDepth,
  wanted: readonly Situation[] = situations,
): Promise<Played[]> {
  const scenes = [...Map.groupBy(wanted, sceneOf).values()];
  const shares = Array.from({ length: browsers }, (_, browser) =>
    scenes.filter((_scene, index) => index % browsers === browser),
  );
  return (await Promise.all(shares.map((share) => playInOne(share, origin, depth)))).flat();
}

async function playInOne(
  share: readonly Situation[][],
  origin: Origin,
  depth: EvidenceDepth,
): Promise<Played[]> {
  const browser = await startWatchedBrowser(origin, depth);
  try {
    const played: Played[] = [];
    for (const [first, ...others] of share)
      if (first) played.push(...(await play([first, ...others], depth, origin, browser)));
    return played;
  } finally {
    await browser.close();
  }
}

/** How many verdicts were judged so, of these; what did not come about is in none of them. */
export function counts(played: readonly Played[]): Record<(typeof columns)[number], number> {
  const counted = { right: 0, coarse: 0, unknown: 0, wrong: 0, missing: 0 };
  for (const { judgement, resource } of played)
    if (judgement) counted[resource ? judgement : 'missing']++;
  return counted;
}

/** Plays, each in a line, of the situations that came about in none of them. */
export function neverCameAbout(played: readonly Played[]): string[] {
  const plays = [...Map.groupBy(played, ({ situation }) => situation).values()];
  return plays
    .filter((list) => list.every(({ outcome }) => !outcome))
    .flat()
    .map(describePlay);
}

/** The verdict as `source` or `source/detail`. */
export function verdictOf({ attribution: { source, detail } }: Played): string {
  return detail === undefined ? source : `${source}/${detail}`;
}

/** What came about in one play and what was said of it, in a line. */
export function describePlay(played: Played): string {
  const { situation, depth, outcome, atOrigin, judgement, attribution } = played;
  const came = outcome ? `came about as ${outcome.truth.answer}` : 'did not come about';
  const said = `${verdictOf(played)}, ${judgement ?? 'not judged'}`;
  return `${depth} ${situation.name}: ${came} (origin: ${atOrigin.join()}); ${said} (${attribution.reasons.join('; ')})`;
}
