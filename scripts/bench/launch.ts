import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import { pagePath } from '@cachescope/origin/workloads/urls.ts';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { findChromium } from '../../harness/browser/find.ts';
import { launchBrowser } from '../../harness/browser/launch.ts';

const launches = 8;

/** Time from the start of Chromium's process to the first page that is ready for reads. */
export async function measureLaunch(): Promise<void> {
  const chromium = await findChromium(undefined);
  if (!chromium) throw new Error('no Chromium was found');
  const extensionDirectory = await builtExtension();
  const directory = await mkdtemp(join(tmpdir(), 'cachescope-bench-'));
  const origin = await startOrigin({ workloads: [await findWorkload('synthetic:1KiB')] });
  const readyMs: number[] = [];
  try {
    for (let launch = 0; launch <= launches; launch++) {
      const start = performance.now();
      const browser = await launchBrowser({
        executablePath: chromium.path,
        extensionDirectory,
        profileDirectory: join(directory, 'profile'),
        cacheDirectory: join(directory, 'cache'),
        headful: false,
      });
      await browser.instrument.open(origin.url + pagePath);
      // The first launch creates the profile; later launches of a run reuse it.
      if (launch > 0) readyMs.push(performance.now() - start);
      await browser.close();
    }
  } finally {
    await origin.close();
    await rm(directory, { recursive: true, force: true });
  }
  const worst = Math.max(...readyMs);
  console.log(
    `Chromium's start to the first page ready for reads, median of ${launches}: ${median(readyMs)?.toFixed(0)} ms (slowest ${worst.toFixed(0)} ms)`,
  );
  console.log('Goal: under 1000 ms.');
}
