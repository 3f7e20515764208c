import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evict } from '@cachescope/harness/browser/cold-read.ts';
import { builtExtension } from '@cachescope/harness/browser/extension-build.ts';
import { populateCache } from '@cachescope/harness/browser/populate.ts';
import { findChromium } from '@cachescope/harness/browser/find.ts';
import { launchBrowser } from '@cachescope/harness/browser/launch.ts';
import { makeSlowProfile } from '@cachescope/harness/browser/slow-profile.ts';
import { createPrivilege } from '@cachescope/harness/privilege.ts';
import { difference } from '@cachescope/harness/storage/device-counters.ts';
import { attachStorage } from '@cachescope/harness/storage/storage.ts';
import type { SlowPart } from '@cachescope/model/sweep/run.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { pagePath, probePath, resourcePath } from '@cachescope/origin/workloads/urls.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hangLimitMs } from '../hang-limit.ts';
import { whatSlowStorageLacks } from '../slow-storage-need.ts';

const lacking = await whatSlowStorageLacks();
if (lacking) console.warn(`Slow profiles are not tested: ${lacking}`);

const privilege = createPrivilege({ dryRun: false, say: () => undefined });

/** Minimum share of a dictionary's bytes that the device delivers when Chromium reads the dictionary from it. */
const leastShare = 0.5;

describe.skipIf(lacking !== null)('parts of the profile on the slow disk are read from it', () => {
  let work = '';
  beforeEach(() => {
    work = realpathSync(mkdtempSync(join(tmpdir(), 'slow-profile-')));
    process.env['XDG_STATE_HOME'] = join(work, 'state');
  });
  afterEach(() => rmSync(work, { recursive: true }));

  /**
   * Populates a browser's cache, restarts the browser with a cold page cache, and makes it use the dictionary for a
   * response from the network.
   */
  async function useDictionary(slow: SlowPart[]) {
    await using resources = new AsyncDisposableStack();
    const disk = await attachStorage({ kind: 'nbd-delay', delayWrites: false, privilege });
    resources.defer(() => disk.detach());
    const places = { diskDirectory: disk.directory, workDirectory: work };
    const made = await makeSlowProfile(slow, places);
    const workload = await findWorkload('synthetic:1MiB');
    const origin = await startOrigin({ workloads: [workload] });
    resources.defer(() => origin.close());
    const launch = {
      executablePath: (await findChromium(undefined))?.path ?? '',
      extensionDirectory: await builtExtension(),
      profileDirectory: made.profileDirectory,
      cacheDirectory: made.cacheDirectory,
      headful: false,
    };
    await populateCache(launch, origin, [{ workload, arms: ['dcb'] }]);
    const stored = readdirSync(made.dictionaryDirectory);
    await disk.setDelay(5);
    const browser = await launchBrowser(launch);
    resources.defer(() => browser.close());
    const { tabId } = await browser.instrument.open(origin.url + pagePath);
    const read = (path: string) =>
      browser.instrument.read(tabId, { url: origin.url + path, settleMs: 0 });
    const advertised = async (sha256: string) => {
      const mark = origin.log.mark();
      await read(probePath(workload.name, 0));
      return origin.log
        .since(mark)
        .some(({ availableDictionary }) => availableDictionary === sha256);
    };
    // Chromium loads the dictionary's metadata some time after the start, and its body at the first use.
    const isAdvertised = () => advertised(workload.dictionarySha256);
    await vi.waitUntil(isAdvertised, { timeout: hangLimitMs });
    await evict(disk, privilege);
    const before = await disk.counters();
    const mark = origin.log.mark();
    // Not in the cache: the URL with which the cache was populated had no query.
    const { bodySha256 } = await read(`${resourcePath(workload.name, 'dcb')}?another=1`);
    const after = await disk.counters();
    const [request] = origin.log.since(mark);
    expect(request?.contentCoding).toBe('dcb');
    expect(bodySha256).toBe(workload.resourceSha256);
    if (!before || !after) throw new Error('the counters cannot be read');
    const { readBytes } = difference(after, before);
    return { stored, share: readBytes / workload.dictionary.byteLength };
  }

  test('only the dictionaries on the slow disk', async () => {
    const { stored, share } = await useDictionary(['dictionaries']);
    expect(stored).toEqual(expect.arrayContaining(['cache', 'db']));
    expect(share).toBeGreaterThan(leastShare);
  });

  test('only the cache on the slow disk: dictionaries are not read from it', async () => {
    const { share } = await useDictionary(['cache']);
    expect(share).toBeLessThan(leastShare);
  });

  test('the profile with its dictionaries on the slow disk', async () => {
    const { stored, share } = await useDictionary(['dictionaries', 'profile']);
    expect(stored).toEqual(expect.arrayContaining(['cache', 'db']));
    expect(share).toBeGreaterThan(leastShare);
  });
});
