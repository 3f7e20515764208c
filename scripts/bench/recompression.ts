import { markdownTable } from '@cachescope/model/markdown.ts';
import {
  type Account,
  differing,
  type FixSituation,
  isWrong,
  played,
  type Witness,
  witnesses,
} from './recompression/account.ts';
import { closing } from './place.ts';
import { type FixOrigin, startFixOrigin } from './recompression/origin.ts';
import { Room, storedBytes } from './recompression/room.ts';
import { fixSituations } from './recompression/situations.ts';

/** The accounts of a situation without the fix and with it. */
export interface Played {
  name: string;
  stock: Account;
  fixed: Account;
}

/** Situations played without the fix and with it, and the stored size of a DCZ response, bytes; null: unknown. */
export interface Conformance {
  played: Played[];
  decodedBytes: number;
  storedBytes: { stock: number | null; fixed: number | null };
}

/** Whether the features reduce the stored size of a response that is stored decoded without them. */
export function recompresses({
  decodedBytes,
  storedBytes: { stock, fixed },
}: Conformance): boolean {
  const isSmall = (bytes: number | null) => bytes !== null && bytes < 0.9 * decodedBytes;
  return isSmall(fixed) && !isSmall(stock);
}

/**
 * Plays situations without Chromium's recompression and with it, checks every body by SHA-256, and prints the
 * differences. Ends with exit code 1 when a body had wrong bytes, a situation was not played, or the browser does not
 * recompress.
 *
 * @param words name of a situation, or substring of the names of several; empty: all.
 */
export async function measureRecompression(words = ''): Promise<void> {
  const named = fixSituations.filter(({ name }) => name === words);
  const like = fixSituations.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()));
  const wanted = named.length > 0 ? named : like;
  if (wanted.length === 0) {
    const names = fixSituations.map(({ name }) => `\n  ${name}`).join('');
    console.error(`No situation is called ${JSON.stringify(words)}; there are${names}`);
    process.exitCode = 2;
    return;
  }
  const conformance = await playSituations(wanted);
  if (conformance.played.some(isBad) || !recompresses(conformance)) process.exitCode = 1;
  console.log(reportOf(conformance));
}

/** Plays situations in a browser without the fix, then in one with it. */
export async function playSituations(situations: readonly FixSituation[]): Promise<Conformance> {
  const origin = await startFixOrigin();
  await using _ = closing(origin);
  const stock = await playOnOneSide(origin, situations, false);
  const fixed = await playOnOneSide(origin, situations, true);
  const pairs = situations.map(({ name }, place) => {
    const [one, other] = [stock.accounts[place], fixed.accounts[place]];
    if (!one || !other) throw new Error(`no account of ${name}`);
    return { name, stock: one, fixed: other };
  });
  const stored = { stock: stock.bytes, fixed: fixed.bytes };
  return { played: pairs, decodedBytes: origin.bodies.text.length, storedBytes: stored };
}

async function playOnOneSide(
  origin: FixOrigin,
  situations: readonly FixSituation[],
  fix: boolean,
): Promise<{ accounts: Account[]; bytes: number | null }> {
  const accounts: Account[] = [];
  let open = null as { kind: string; room: Room } | null;
  try {
    for (const situation of situations) {
      const { name, flags = [], isAlone } = situation;
      const kind = isAlone ? name : flags.join(' ');
      if (open && open.kind !== kind) {
        await open.room.close();
        open = null;
      }
      try {
        open ??= { kind, room: await Room.open(origin, fix, flags) };
        const place = `${accounts.length}${fix ? 'f' : 's'}`;
        accounts.push(await played(situation, open.room, place, fix));
      } catch (error) {
        accounts.push(notPlayed(error));
        // Whatever happened to this browser must not fail the next situation.
        await open?.room.close();
        open = null;
      }
    }
  } finally {
    await open?.room.close();
  }
  return { accounts, bytes: await bytesStored(origin, fix) };
}

async function bytesStored(origin: FixOrigin, fix: boolean): Promise<number | null> {
  const room = await Room.open(origin, fix);
  await using _ = closing(room);
  const url = `/r/stored?fix=${fix}`;
  await room.read(url);
  await room.stop();
  return await storedBytes(room, url);
}

const failure = 'not played: ';
const notPlayed = (error: unknown): Account => {
  return { page: [failure + String(error).slice(0, 80)], 'Resource Timing': [], origin: [] };
};

/** Whether a situation had wrong bytes or was not played. */
export function isBad({ stock, fixed }: Played): boolean {
  return [stock, fixed].some((side) => isWrong(side) || side.page[0]?.startsWith(failure));
}

/** The witnesses that tell the two browsers apart in a situation; empty: they are the same. */
export const differenceIn = ({ stock, fixed }: Played): Witness[] => differing(stock, fixed);

function reportOf({ played: all, decodedBytes, storedBytes: stored }: Conformance): string {
  const bad = all.filter(isBad).map(({ name }) => name);
  const different = all.filter((each) => differenceIn(each).length > 0);
  const bytes = (count: number | null) => `${count ?? 'an unknown number of'} bytes`;
  return [
    bad.length === 0
      ? `No body had wrong bytes in ${all.length} situations.`
      : `WRONG BYTES, or not played, in ${bad.length} of ${all.length} situations: ${bad.join('; ')}.`,
    `A DCZ response of ${decodedBytes} bytes is stored in ${bytes(stored.stock)} without the features, in ${bytes(stored.fixed)} with them.`,
    `${all.length - different.length} situations are the same with the features and without, ${different.length} are not.\n`,
    markdownTable(
      ['situation', 'differs by', 'without the features', 'with the features'],
      all.map(rowOf),
    ),
    ...different.map(({ name }) => `npm run bench -- recompression '${name}'`),
  ].join('\n');
}

function rowOf({ name, stock, fixed }: Played): string[] {
  const found = differing(stock, fixed);
  const [differs, other] = found.length > 0 ? [found.join(', '), said(fixed)] : ['same', ''];
  return [name, differs, said(stock), other];
}

const said = (account: Account): string =>
  witnesses.map((witness) => account[witness].join(', ') || '-').join('; ');
