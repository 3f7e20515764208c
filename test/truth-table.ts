import type { Judgement } from '@cachescope/model/cache-source-judgement.ts';
import type { EvidenceDepth } from '@cachescope/model/evidence.ts';
import type { Origin } from '@cachescope/origin/server.ts';
import type { Situation } from '@cachescope/origin/situations/situation.ts';
import { situations } from '@cachescope/origin/situations/situations.ts';
import { startWatchedBrowser } from './truth-table-browser.ts';
import { play, type Played } from './truth-table-play.ts';

export const judgements: readonly Judgement[] = ['right', 'coarse', 'unknown', 'wrong'];

/** Most of a play is waiting: so many browsers share the situations of a depth. */
const browsers = 2;

/** Plays every situation, or those whose names hold `part`, at one depth. */
export async function playAll(origin: Origin, depth: EvidenceDepth, part = ''): Promise<Played[]> {
  const wanted = situations.filter(({ name }) => name.includes(part));
  const shares = Array.from({ length: browsers }, (_, browser) =>
    wanted.filter((_situation, index) => index % browsers === browser),
  );
  return (await Promise.all(shares.map((share) => playInOne(share, origin, depth)))).flat();
}

async function playInOne(
  share: readonly Situation[],
  origin: Origin,
  depth: EvidenceDepth,
): Promise<Played[]> {
  const browser = await startWatchedBrowser(origin, depth);
  try {
    const played: Played[] = [];
    for (const situation of share) played.push(await play(situation, depth, origin, browser));
    return played;
  } finally {
    await browser.close();
  }
}

/** How many verdicts were judged so, of these. */
export function counts(played: readonly Played[]): Record<Judgement, number> {
  const counted = { right: 0, coarse: 0, unknown: 0, wrong: 0 };
  for (const { judgement } of played) counted[judgement]++;
  return counted;
}

/** The verdict as `source` or `source/detail`. */
export function verdictOf({ attribution: { source, detail } }: Played): string {
  return detail === undefined ? source : `${source}/${detail}`;
}
