import { gunzipSync } from 'node:zlib';
import type { MachineFiles } from './machine-files.ts';

/** CONFIG_HZ of a kernel's configuration; null when it does not say. */
function tickRateIn(configuration: string | null): number | null {
  const rate = /^CONFIG_HZ=(\d+)$/m.exec(configuration ?? '')?.[1];
  return rate === undefined ? null : Number(rate);
}

/** The configuration that a kernel keeps within itself (CONFIG_IKCONFIG_PROC). */
function ownConfiguration(files: MachineFiles): string | null {
  const bytes = files.bytes('/proc/config.gz');
  try {
    return bytes && gunzipSync(bytes).toString('utf8');
  } catch {
    return null;
  }
}

/** How long a tick of this kernel's clock takes, ms: 1 to 10; null when its configuration is not to be had. */
export function kernelTickMs(files: MachineFiles): number | null {
  const release = files.text('/proc/sys/kernel/osrelease') ?? '';
  const places = [`/boot/config-${release}`, `/lib/modules/${release}/config`];
  const installed = places.map((path) => tickRateIn(files.text(path)));
  const rateHz = [tickRateIn(ownConfiguration(files)), ...installed].find((rate) => rate !== null);
  return rateHz ? 1000 / rateHz : null;
}
