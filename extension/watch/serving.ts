import { servedFrom, sourceNames } from '@cachescope/model/budget/served-from.ts';
import { verdictName } from '@cachescope/model/attribution/answer.ts';
import type { WatchedLoad } from './watched-load.ts';

/** Where resources must come from. */
export interface Serving {
  /** Names of sources: `disk`, `service-worker/cache-storage`, or `cache` for any cache that did not ask the origin. */
  from: string | readonly string[];
  /** The kind of load that must be judged: `reload`, `navigate` and so on; absent: any. */
  on?: string;
}

/** The outcome, in the form of a matcher of Playwright Test, Jest and Vitest. */
export interface Served {
  pass: boolean;
  message: () => string;
}

/** Whether every resource whose URL matches came from one of these sources. What is unknown does not pass. */
export function served(load: WatchedLoad, match: RegExp | string, { from, on }: Serving): Served {
  const names = typeof from === 'string' ? [from] : from;
  const unknown = names.filter((name) => !sourceNames.has(name));
  if (unknown.length > 0) return failed(`${unknown.join(', ')} names no source`);
  if (on !== undefined && load.navigationType !== on)
    return failed(`the load of ${load.url} is a ${load.navigationType}, not a ${on}`);
  const fits = (url: string) =>
    typeof match === 'string' ? url.includes(match) : url.search(match) >= 0;
  const rows = load.rows.filter(({ url }) => fits(url));
  if (rows.length === 0) return failed(`no resource of ${load.url} matches ${String(match)}`);
  const others = rows.filter((row) => {
    const candidates = row.candidates && [...row.candidates];
    return servedFrom({ ...row, reasons: [], candidates }, names) !== 'yes';
  });
  const wanted = names.join(' or ');
  if (others.length === 0)
    return { pass: true, message: () => `${rows.length} resources came from ${wanted}` };
  const lines = others.map(
    (row) => `  ${row.url}: ${verdictName(row)} (${row.reasons.join('; ')})`,
  );
  return failed(
    `${others.length} of ${rows.length} resources are not known to come from ${wanted}:\n${lines.join('\n')}`,
  );
}

function failed(says: string): Served {
  return { pass: false, message: () => says };
}

/** The same as an assertion. @throws Error that names each resource from elsewhere. */
export function assertServed(load: WatchedLoad, match: RegExp | string, serving: Serving): void {
  const { pass, message } = served(load, match, serving);
  if (!pass) throw new Error(message());
}

/** For `expect.extend(matchers)`: then `expect(load).toServe(/static/, { from: ['disk', 'memory'], on: 'reload' })`. */
export const matchers = { toServe: served };
