import { isDeepStrictEqual } from 'node:util';
import { startFixOrigin } from './recompression/origin.ts';
import { Room } from './recompression/room.ts';
import { type FixSituation, fixSituations, storedBytes } from './recompression/situations.ts';

/** A situation as it was without the fix and with it. */
interface Played {
  name: string;
  stock: string[];
  fixed: string[];
}

const isWrong = (line: string): boolean => line.includes('WRONG BYTES');

/**
 * Plays every situation without Chromium's recompression and with it, checks every body by SHA-256, and prints what differs.
 * Ends with exit code 1 when a body had wrong bytes, or the browser does not recompress.
 */
export async function measureRecompression(): Promise<void> {
  const origin = await startFixOrigin();
  try {
    const results: string[][][] = [];
    for (const fix of [false, true]) {
      const room = await Room.open(origin, fix);
      const lines: string[][] = [];
      try {
        for (const [index, situation] of fixSituations.entries())
          lines.push(await played(situation, index, room, fix));
        const url = `/r/stored?fix=${fix}`;
        await room.read(url);
        await room.stop();
        const bytes = await storedBytes(room, url);
        console.log(
          `${fix ? 'With' : 'Without'} the features, a DCZ response of ${origin.bodies['text']?.length} bytes is stored in ${bytes ?? 'an unknown number of'} bytes.`,
        );
        const isSmall = bytes !== null && bytes < 0.9 * (origin.bodies['text']?.length ?? 0);
        if (isSmall !== fix) process.exitCode = 1;
      } finally {
        await room.close();
      }
      results.push(lines);
    }
    const [stock = [], fixed = []] = results;
    report(
      fixSituations.map(({ name }, index) => {
        return { name, stock: stock[index] ?? [], fixed: fixed[index] ?? [] };
      }),
    );
  } finally {
    origin.close();
  }
}

async function played(
  { name, play, playAlone }: FixSituation,
  index: number,
  room: Room,
  fix: boolean,
): Promise<string[]> {
  try {
    if (playAlone) return await playAlone(room.origin, fix);
    const urlOf = (query = ''): string => `/r/${index}${fix ? 'f' : 's'}?${query}`;
    return (await play?.(room, urlOf)) ?? [];
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
