import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recompressFeatures } from '@cachescope/model/features/presets.ts';
import {
  accountText,
  conformanceWitnesses,
  differingWitnesses,
  type Play,
} from '@cachescope/model/judge/play.ts';
import { markdownTable } from '@cachescope/model/markdown.ts';
import { findChromium } from '../../harness/browser/find.ts';
import { evidenceOf } from '../../harness/conformance/evidence.ts';
import { ConformanceOrigin } from '../../harness/conformance/origin.ts';
import { SidePlayer } from '../../harness/conformance/side.ts';
import type { Situation } from '../../harness/conformance/situation.ts';
import { conformanceSituations } from '../../harness/conformance/situations.ts';

/** What a situation showed without Chromium's recompression, and with it. */
export interface PlayedPair {
  name: string;
  stock: Play;
  fixed: Play;
}

/** Situations played on both sides, and the entry's size of a DCZ response, bytes; null: unknown. */
export interface PlayedPairs {
  pairs: PlayedPair[];
  decodedBytes: number;
  storedBytes: { stock: number | null; fixed: number | null };
}

/**
 * Plays situations without Chromium's recompression and with it, and prints what differs. Ends with exit code 1 when only
 * the browser with it breaks a safety rule.
 *
 * @param words name of a situation, or substring of the names of several; empty: all.
 */
export async function measureRecompression(words = ''): Promise<void> {
  const wanted = conformanceSituations.filter(({ name }) => name.includes(words));
  const { pairs, decodedBytes, storedBytes } = await playPairs(wanted);
  if (pairs.some(isBroken)) process.exitCode = 1;
  const rows = pairs.map(({ name, stock, fixed }) => {
    const differing = differingWitnesses(stock, fixed).map((each) => conformanceWitnesses[each]);
    const [differs, other] =
      differing.length > 0 ? [differing.join(), accountText(fixed)] : ['same', ''];
    return [name, differs, accountText(stock), other];
  });
  console.log(`A response of ${decodedBytes} bytes is stored in ${storedBytes.stock}, with the features in ${storedBytes.fixed}.
Safety rules broken with the features only: ${
    pairs
      .filter(isBroken)
      .map(({ name }) => name)
      .join('; ') || 'none'
  }.
${rows.filter(([, differs]) => differs !== 'same').length} of ${rows.length} situations differ.\n`);
  console.log(markdownTable(['situation', 'differs by', 'without', 'with'], rows));
}

/** Whether only the browser with the features breaks a safety rule. */
export const isBroken = ({ stock, fixed }: PlayedPair): boolean =>
  fixed.violations.some((each) => !stock.violations.includes(each));

/** Plays situations on both sides, one after another. */
export async function playPairs(situations: readonly Situation[]): Promise<PlayedPairs> {
  const executablePath = (await findChromium(undefined))?.path ?? 'chromium';
  const work = await mkdtemp(join(tmpdir(), 'cachescope-fix-'));
  await using disposed = new AsyncDisposableStack();
  disposed.defer(() => rm(work, { recursive: true, force: true }));
  const origin = disposed.use(await ConformanceOrigin.start());
  const common = { origin, executablePath };
  const fix = { enabledFeatures: [...recompressFeatures] };
  const sides = (['stock', 'fixed'] as const).map((name) => {
    const [settings, otherSettings] = name === 'fixed' ? [fix, {}] : [{}, fix];
    const options = { ...common, work: join(work, name), settings, otherSettings };
    return disposed.use(new SidePlayer(options));
  });
  const [stock, fixed] = sides;
  if (!stock || !fixed) throw new Error('no sides');
  const [one, other] = [await evidenceOf(stock, []), await evidenceOf(fixed, [])];
  const pairs: PlayedPair[] = [];
  for (const [index, situation] of situations.entries())
    pairs.push({
      name: situation.name,
      stock: await stock.play(situation, `s${index}`),
      fixed: await fixed.play(situation, `f${index}`),
    });
  const storedBytes = { stock: one.storedBytes, fixed: other.storedBytes };
  return { pairs, decodedBytes: one.decodedBytes, storedBytes };
}
