import type { Variant } from '@cachescope/model/run/variant.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';
import { StoringBrowser, type StoringLab } from './browser.ts';

/** Launches a browser of each variant, each with the dictionaries of these workloads. */
export async function launchEach(
  lab: StoringLab,
  {
    name,
    variants,
    cacheBytes,
  }: { name: string; variants: readonly Variant[]; cacheBytes: number },
  workloads: readonly Workload[],
  opened: AsyncDisposableStack,
): Promise<{ browser: StoringBrowser; variant: string }[]> {
  const seats: { browser: StoringBrowser; variant: string }[] = [];
  for (const variant of variants) {
    const own = `${name}-${variant.name}`;
    const browser = opened.use(await StoringBrowser.launch(lab, own, variant, cacheBytes));
    for (const workload of workloads) await browser.holdDictionary(workload);
    seats.push({ browser, variant: variant.name });
  }
  return seats;
}
