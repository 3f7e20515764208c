import { join } from 'node:path';
import type { Coding } from '@cachescope/model/coding.ts';
import type { PageCacheState } from '@cachescope/model/run/page-cache-state.ts';
import type { Cell, StorageKind } from '@cachescope/model/run/sample.ts';
import type { StoredEntry } from '@cachescope/model/sweep/run.ts';
import type { Settings } from '@cachescope/model/run/variant.ts';
import { type Origin, startOrigin } from '@cachescope/origin/server.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';
import { histogramsNeeded } from '@cachescope/model/features/effect.ts';
import type { LeftEvidence } from '@cachescope/model/features/evidence.ts';
import { requireBackEnd } from '../browser/disk-cache-back-end.ts';
import { sqlDatabases } from '../browser/disk-cache.ts';
import { type CachedWorkload, populateCache } from '../browser/populate.ts';
import type { Privilege } from '../privilege.ts';
import { makeWorkDirectory } from '../storage/journal/work-directory.ts';
import { withFreshBrowsers } from './attempts.ts';
import { attachPlace, type Place, type PlaceOptions } from './place.ts';
import type { RunLink } from './run-link.ts';

/** A place whose cache holds every arm's response. */
export interface PopulatedPlace extends Place {
  stored: StoredEntry[];
  site: Site;
  /** For example `Chrome/156.0.8078.79`. */
  browserVersion: string;
  /** What shows that feature presets are in effect. */
  evidence: LeftEvidence;
}

/** A storage in one variant: a run has one place for each. */
export interface Site {
  storage: StorageKind;
  /** Absent in a run without variants. */
  variant?: string | undefined;
}

/** The resources of a cached-read experiment while it runs. */
export interface Lab {
  origin: Origin;
  privilege: Privilege;
  /** Page cache state before each read of the cache. */
  state: PageCacheState;
  /** The workload that a cell reads: the named one, or the first of the run. Throws for one that is not in the run. */
  workloadOf(cell: Pick<Cell, 'workload'>): Workload;
  /** The place of a site of the experiment; throws for an unknown site. */
  place(site: Site): PopulatedPlace;
  /** Every place, in order of creation. */
  places: readonly PopulatedPlace[];
  chromium: { version: string; path: string; flags: string[] };
  /** Smallest step of performance.now() in the page, ms. */
  timerStepMs: number | null;
  /** What a reader of the results must know about the populated caches; often empty. */
  warnings: readonly string[];
}

export interface LabOptions extends Omit<PlaceOptions, 'link'> {
  /** Between the browsers and the origin; absent: loopback. */
  link?: RunLink | undefined;
  /** At least one. */
  workloads: readonly CachedWorkload[];
  sites: readonly Site[];
  settingsOf: (site: Site) => Settings;
  /** The arms of a workload that are stored at a site; absent: all. */
  armsAt?: (site: Site, arms: readonly Coding[]) => readonly Coding[];
  /** Default `cold`. */
  state?: PageCacheState | undefined;
  /** Called with one line for each step. */
  say: (line: string) => void;
}

/**
 * Starts the origin, attaches the storages, and populates one fresh cache on each. Disposing `resources` undoes this in
 * reverse order.
 */
export async function openLab(options: LabOptions, resources: AsyncDisposableStack): Promise<Lab> {
  const { workloads, privilege, link, say } = options;
  const work = await makeWorkDirectory('run', privilege);
  resources.defer(work.remove);
  const origin = await startOrigin({ workloads: workloads.map(({ workload }) => workload) });
  resources.defer(() => origin.close());
  await link?.serve(origin.server.server);
  const places = new Map<string, PopulatedPlace>();
  let chromium: Lab['chromium'] | undefined;
  let timerStepMs: number | null = null;
  const warnings: string[] = [];
  const histograms = histogramsNeeded(options.sites.map(options.settingsOf));
  for (const [index, site] of options.sites.entries()) {
    say(stepOf(site));
    const directory = join(work.path, `place-${index}`);
    const settings = options.settingsOf(site);
    const found = { ...options, link: link?.end, temporaryDirectory: join(work.path, 't') };
    const place = await attachPlace(found, site.storage, directory, resources, settings);
    const own = workloads
      .map((each) => ({ ...each, arms: options.armsAt?.(site, each.arms) ?? each.arms }))
      .filter(({ arms }) => arms.length > 0);
    const populated = await withFreshBrowsers(say, async (attempt) => {
      if (attempt > 1) await place.empty();
      return populateCache(place.launch, origin, own, histograms);
    });
    const { cacheDirectory } = place.launch;
    await requireBackEnd(cacheDirectory, settings.diskCache);
    const evidence = {
      databases: await sqlDatabases(cacheDirectory),
      histograms: populated.counts,
    };
    // A run without variants does not name one, and a run with one workload does not name it.
    const stored = populated.stored.map(({ workload, ...entry }) => ({
      ...entry,
      ...(site.variant !== undefined && { variant: site.variant }),
      ...(workloads.length > 1 && { workload }),
    }));
    const { version: browserVersion } = populated;
    places.set(nameOf(site), { ...place, stored, site, browserVersion, evidence });
    // With several variants, run.json names the first browser; the plan names the others.
    chromium ??= {
      version: populated.version,
      path: place.launch.executablePath,
      flags: populated.flags,
    };
    timerStepMs = populated.timerStepMs;
    warnings.push(...populated.warnings);
  }
  if (!chromium) throw new Error('a lab needs at least one site');
  return {
    origin,
    privilege,
    state: options.state ?? 'cold',
    workloadOf({ workload: name = workloads[0]?.workload.name }) {
      const found = workloads.find(({ workload }) => workload.name === name);
      if (!found) throw new Error(`no ${name ?? 'workload'} in this lab`);
      return found.workload;
    },
    places: [...places.values()],
    place(site) {
      const place = places.get(nameOf(site));
      if (!place) throw new Error(`no ${nameOf(site)} in this lab`);
      return place;
    },
    chromium,
    timerStepMs,
    warnings,
  };
}

function nameOf({ storage, variant }: Site): string {
  return variant === undefined ? storage : `${storage} with ${variant}`;
}

function stepOf(site: Site): string {
  const variant = site.variant === undefined ? '' : ` (${site.variant})`;
  return site.storage === 'none'
    ? `Populating the control cache${variant}`
    : `Attaching ${site.storage} storage and populating the cache on it${variant}`;
}
