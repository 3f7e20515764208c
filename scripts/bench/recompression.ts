import { isDeepStrictEqual } from 'node:util';
import { startFixOrigin } from './recompression/origin.ts';
import { Room } from './recompression/room.ts';
import { type FixSituation, fixSituations, storedBytes } from './recompression/situations.ts';

/** The results of a situation without the fix and with it. */
export interface Played {
  name: string;
  stock: string[];
  fixed: string[];
}

/** Situations played without the fix and with it, and the stored size of a DCZ response, bytes; null: unknown. */
export interface Conformance {
  played: Played[];
  decodedBytes: number;
  storedBytes: { stock: number | null; fixed: number | null };
}

const isWrong = (line: string): boolean => line.includes('WRONG BYTES');

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
 * differences. Ends with exit code 1 when a body had wrong bytes, or the browser does not recompress.
 *
 * @param words substring of the names of the situations to play; empty: all.
 */
export async function measureRecompression(words = ''): Promise<void> {
  const wanted = fixSituations.filter(({ name }) =>
    name.toLowerCase().includes(words.toLowerCase()),
  );
  if (wanted.length === 0) {
    const names = fixSituations.map(({ name }) => `\n  ${name}`).join('');
    console.error(`No situation is called ${JSON.stringify(words)}; there are${names}`);
    process.exitCode = 2;
    return;
  }
  const conformance = await playSituations(wanted);
  const { played, decodedBytes, storedBytes: stored } = conformance;
  for (const [which, bytes] of [
    ['Without', stored.stock],
    ['With', stored.fixed],
  ])
    console.log(
      `${which} the features, a DCZ response of ${decodedBytes} bytes is stored in ${bytes ?? 'an unknown number of'} bytes.`,
    );
  if (!recompresses(conformance)) process.exitCode = 1;
  report(played);
}

/** Plays situations in a browser without the fix, then in one with it. */
export async function playSituations(situations: readonly FixSituation[]): Promise<Conformance> {
  const origin = await startFixOrigin();
  try {
    const sides = [];
    for (const fix of [false, true]) {
      const room = await Room.open(origin, fix);
      const lines: string[][] = [];
      try {
        for (const [index, situation] of situations.entries())
          lines.push(await play(situation, index, room, fix));
        const url = `/r/stored?fix=${fix}`;
        await room.read(url);
        await room.stop();
        sides.push({ lines, bytes: await storedBytes(room, url) });
      } finally {
        await room.close();
      }
    }
    const [stock, fixed] = sides;
    return {
      played: situations.map(({ name }, index) => {
        return { name, stock: stock?.lines[index] ?? [], fixed: fixed?.lines[index] ?? [] };
      }),
      decodedBytes: origin.bodies['text']?.length ?? 0,
      storedBytes: { stock: stock?.bytes ?? null, fixed: fixed?.bytes ?? null },
    };
  } finally {
    origin.close();
  }
}

async function play(
  { name, play: inRoom, playAlone }: FixSituation,
  index: number,
  room: Room,
  fix: boolean,
): Promise<string[]> {
  try {
    if (playAlone) return await playAlone(room.origin, fix);
    const urlOf = (query = ''): string => `/r/${index}${fix ? 'f' : 's'}?${query}`;
    return (await inRoom?.(room, urlOf)) ?? [];
  } catch (error) {
    console.error(`${name}: ${String(error)}`);
    process.exitCode = 1;
    return [`not played: ${String(error).slice(0, 80)}`];
  }
}

function report(all: readonly Played[]): void {
  const wrong = all.filter(({ stock, fixed }) => [...stock, ...fixed].some(isWrong));
  if (wrong.length > 0) process.exitCode = 1;
  const different = all.filter(({ stock, fixed }) => !isDeepStrictEqual(stock, fixed));
  console.log(`\nWrong bytes in ${wrong.length} of ${all.length} situations.`);
  console.log(`${all.length - different.length} are the same with the features and without.\n`);
  console.log('| situation | same | without the features | with the features |');
  console.log('| --- | --- | --- | --- |');
  for (const { name, stock, fixed } of all) {
    const isSame = isDeepStrictEqual(stock, fixed);
    console.log(
      `| ${name} | ${isSame ? 'yes' : '**no**'} | ${said(stock)} | ${isSame ? '' : said(fixed)} |`,
    );
  }
}

const said = (lines: readonly string[]): string => lines.join('; ');
