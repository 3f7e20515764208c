import { join } from 'node:path';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import { pagePath } from '@cachescope/origin/workloads/urls.ts';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { launchBrowser } from '../../harness/browser/launch.ts';
import { chromiumPath, closing, temporaryDirectory } from './place.ts';

const launches = 8;

/** Time from the start of Chromium's process to the first page that is ready for reads. */
export async function measureLaunch(): Promise<void> {
  using directory = temporaryDirectory();
  const choice = {
    executablePath: await chromiumPath(),
    extensionDirectory: await builtExtension(),
    profileDirectory: join(directory.path, 'profile'),
    cacheDirectory: join(directory.path, 'cache'),
    headful: false,
  };
  const origin = await startOrigin({ workloads: [await findWorkload('synthetic:1KiB')] });
  const readyMs: number[] = [];
  await using _ = closing(origin);
  for (let launch = 0; launch <= launches; launch++) {
    const start = performance.now();
    const browser = await launchBrowser(choice);
    await browser.instrument.open(origin.url + pagePath);
    // The first launch creates the profile; later launches of a run reuse it.
    if (launch > 0) readyMs.push(performance.now() - start);
    await browser.close();
  }
  const worst = Math.max(...readyMs);
  console.log(
    `Chromium's start to the first page ready for reads, median of ${launches}: ${median(readyMs)?.toFixed(0)} ms (slowest ${worst.toFixed(0)} ms)`,
  );
  console.log('Goal: under 1000 ms.');
}
