import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Coding } from '@cachescope/model/coding.ts';
import {
  type LaunchHistograms,
  withHistogramFlags,
} from '@cachescope/model/run/cache-histograms.ts';
import type { Sample } from '@cachescope/model/run/sample.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { resourcePath } from '@cachescope/origin/workloads/urls.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cacheDataDirectory } from '../../harness/browser/disk-cache.ts';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { findChromium } from '../../harness/browser/find.ts';
import { Visit } from '../../harness/experiments/sweep/visit.ts';
import { type PopulatedPlace, type Lab, openLab } from '../../harness/lab/lab.ts';
import { createPrivilege } from '../../harness/privilege.ts';
import { whatSlowStorageLacks } from '../slow-storage-need.ts';

const lacking = await whatSlowStorageLacks();
if (lacking) console.warn(`The browser's own histograms are not tested: ${lacking}`);

const workloadName = 'synthetic:100KiB';
const arms: readonly Coding[] = ['br', 'dcb'];
const readsPerLaunch = 200;

describe.skipIf(lacking)("200 reads, and the browser's own histograms (UMA) of them", () => {
  const state = mkdtempSync(join(tmpdir(), 'histograms-'));
  const resources = new AsyncDisposableStack();
  const samples: Sample[] = [];
  const told: LaunchHistograms[] = [];
  let lab: Lab;
  let place: PopulatedPlace;

  /** One launch with a read of each arm in the list. */
  async function takeLaunch(launch: number, list: readonly Coding[]): Promise<void> {
    const visit = await Visit.begin(lab, place, 0);
    try {
      for (const [sequence, arm] of list.entries()) {
        const taken = await visit.timedRead({ arm, storage: 'none', delayMs: 0 });
        samples.push({ ...taken, launch, sequence, attempt: 1 });
      }
      told.push({ launch, ...(await visit.histograms()) });
    } finally {
      await visit.end();
    }
  }

  /** Removes the stored response of an arm. */
  function removeEntry(arm: Coding): void {
    const directory = cacheDataDirectory(place.launch.cacheDirectory);
    const url = lab.origin.url + resourcePath(workloadName, arm);
    const files = readdirSync(directory).filter(
      (name) => name.endsWith('_0') && readFileSync(join(directory, name)).includes(url),
    );
    expect(files).toHaveLength(1);
    for (const name of files) rmSync(join(directory, name));
  }

  beforeAll(async () => {
    process.env['XDG_STATE_HOME'] = state;
    const chromium = await findChromium(undefined);
    const workload = await findWorkload(workloadName);
    const options = {
      chromiumPath: chromium?.path ?? '',
      extensionDirectory: await builtExtension(),
      headful: false,
      delayWrites: false,
      privilege: createPrivilege({ dryRun: false, say: () => undefined }),
      workloads: [{ workload, arms }],
      sites: [{ storage: 'none' as const }],
      settingsOf: () => ({}),
      state: 'warm' as const,
      say: () => undefined,
    };
    lab = await openLab(options, resources);
    place = lab.place({ storage: 'none' });
    const list = Array.from({ length: readsPerLaunch }, (_, index): Coding =>
      index % 2 ? 'dcb' : 'br',
    );
    await takeLaunch(0, list);
    removeEntry('br');
    await takeLaunch(1, [...list.slice(1).fill('dcb'), 'br']);
  });
  afterAll(async () => {
    await resources.disposeAsync();
    rmSync(state, { recursive: true });
  });

  const of = (launch: number) => samples.filter((sample) => sample.launch === launch);

  test('every count of the histograms agrees with the reads, and with the log of the origin', () => {
    // The first read of a launch warms up the cache; the page comes from the network.
    const reads = readsPerLaunch + 1;
    expect(told[0]).toMatchObject({
      reads,
      hits: reads,
      others: 1,
      open: { count: reads },
      used: { count: reads },
      disagreements: [],
    });
    expect(of(0).every(({ originRequests }) => originRequests === 0)).toBe(true);
    for (const { arm, storedBytes } of place.stored) {
      const own = told[0]?.contentBytes.filter(
        ({ low, high }) => low <= (storedBytes ?? 0) && high > (storedBytes ?? 0) - 2048,
      );
      // A body is read in pieces, the same number each time.
      const pieces = own?.reduce((sum, { count }) => sum + count, 0) ?? 0;
      expect(pieces, arm).toBeGreaterThan(0);
      expect(pieces % (readsPerLaunch / arms.length), arm).toBe(0);
    }
  });

  test('one read from the network among 200 is found, and flags its launch', () => {
    const network = of(1).filter(({ originRequests }) => originRequests > 0);
    expect(network.map(({ cell }) => cell.arm)).toEqual(['br']);
    expect(told[1]?.disagreements).toEqual([
      `HttpCache.Pattern counts ${readsPerLaunch} hits, and ${readsPerLaunch + 1} reads were made`,
    ]);
    const flagged = withHistogramFlags(samples, told).filter(({ flags }) =>
      flags.includes('histograms'),
    );
    expect(flagged.map(({ launch }) => launch)).toEqual(of(1).map(() => 1));
  });
});
