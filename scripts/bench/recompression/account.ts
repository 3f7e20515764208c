import { isDeepStrictEqual } from 'node:util';
import { type Read, type Room, wrongBytes } from './room.ts';

/**
 * What can tell two browsers apart: status and body in the page, the source by Resource Timing, and the requests in the
 * origin's log.
 */
export const witnesses = ['page', 'Resource Timing', 'origin'] as const;
export type Witness = (typeof witnesses)[number];

/** What each witness said of one situation: a line for each read or request, in their order. */
export type Account = Readonly<Record<Witness, readonly string[]>>;

/** The account of the reads of one URL. `page` lists what the page said before them. */
export function account(
  room: Room,
  url: string,
  reads: readonly Read[],
  page: readonly string[] = [],
): Account {
  return {
    page: [...page, ...reads.map(({ status, body }) => `${status ?? '-'} ${body}`)],
    'Resource Timing': reads.map(({ source }) => source),
    origin: requests(room, url),
  };
}

/** The requests for a URL, such as `GET 200 dcz`, `GET 206 bytes=0-9`. */
export function requests(room: Room, url: string): string[] {
  return room
    .askedFor(url)
    .map(({ method, status, coding, range }) =>
      [method, status, coding, range].filter((part) => part !== null).join(' '),
    );
}

/** The witnesses that two accounts differ by; empty: they are the same. */
export function differing(one: Account, other: Account): Witness[] {
  return witnesses.filter((witness) => !isDeepStrictEqual(one[witness], other[witness]));
}

/** Whether a body had wrong bytes. */
export function isWrong({ page }: Account): boolean {
  return page.some((line) => line.includes(wrongBytes));
}

/** A situation, played in a browser without the fix, and in one with it. */
export interface FixSituation {
  name: string;
  /** Flags of its browser. */
  flags?: readonly string[];
  /** True: its browser plays no other situation. Otherwise situations with the same flags share one. */
  isAlone?: true;
  /** Query of its URL, which tells the origin how to answer; absent: none. */
  query?: string;
  /**
   * Plays in a room with a URL that only this situation uses. `fix`: the browser has the fix. Returns the reads of that
   * URL, or a whole account.
   */
  play: (room: Room, url: string, fix: boolean) => Promise<readonly Read[] | Account>;
}

/** The account of a situation in a room whose browser has the fix or has it not. */
export async function played(
  { query = '', play }: FixSituation,
  room: Room,
  place: string,
  fix: boolean,
): Promise<Account> {
  const url = `/r/${place}?${query}`;
  const told = await play(room, url, fix);
  return 'page' in told ? told : account(room, url, told);
}
