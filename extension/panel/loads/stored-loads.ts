import { attribute } from '@cachescope/model/attribution/cache-source.ts';
import { dictionariesOf, type KnownDictionary } from '@cachescope/model/dictionary/use.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { allHeads, type PanelState } from '../panel-state.ts';
import type { FoundDictionaries, PastUse, UrlHistory } from '../drawer/lookup.ts';

/** Maximum number of loads that are searched, newest first. */
const mostSearched = 50;

type ReadLoad = (id: string) => Promise<Load | undefined>;

/** Every use of a URL in the newest loads. */
export async function urlHistory(
  url: string,
  state: PanelState,
  read: ReadLoad,
): Promise<UrlHistory> {
  const ids = newestIds(state);
  const uses: PastUse[] = [];
  for (const id of ids) {
    const load = await read(id);
    if (load) uses.push(...usesIn(load, url));
  }
  const { heads, opened } = state;
  const loads = { heads, opened };
  return { url, uses, loads, searched: ids.length, stored: allHeads(state).length };
}

/** Every dictionary offered by a response of the newest loads. */
export async function storedDictionaries(
  state: PanelState,
  read: ReadLoad,
): Promise<FoundDictionaries> {
  const known: KnownDictionary[] = [];
  for (const id of newestIds(state)) {
    const load = await read(id);
    if (load) known.push(...dictionariesOf([load]));
  }
  const { heads, opened } = state;
  return { known, loads: { heads, opened } };
}

function newestIds(state: PanelState): string[] {
  return allHeads(state)
    .toSorted((one, other) => other.startedAt.localeCompare(one.startedAt))
    .slice(0, mostSearched)
    .map(({ id }) => id);
}

function usesIn({ id, url: page, startedAt, resources }: Load, url: string): PastUse[] {
  return resources
    .filter((resource) => resource.url === url)
    .map((resource) => ({
      load: { id, url: page, startedAt },
      row: { resource, attribution: attribute(resource.evidence) },
    }));
}
