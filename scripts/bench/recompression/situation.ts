import type { Account } from './account.ts';
import type { Room } from './room.ts';

/** A situation, played in a browser without the fix, and in one with it. */
export interface FixSituation {
  name: string;
  /** Flags of its browser. */
  flags?: readonly string[];
  /** True: its browser plays no other situation. Otherwise situations with the same flags share one. */
  isAlone?: true;
  /** Plays in a room. `url` makes a URL that only this situation uses; `fix`: the browser has the fix. */
  play: (room: Room, url: (query?: string) => string, fix: boolean) => Promise<Account>;
}
