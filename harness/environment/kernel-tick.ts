import { gunzipSync } from 'node:zlib';
import type { MachineFiles } from './machine-files.ts';

/** The tick from a kernel's configuration (CONFIG_HZ), ms; null when it is not set there. */
export function tickMsIn(configuration: string | null): number | null {
  const rateHz = /^CONFIG_HZ=(\d+)$/m.exec(configuration ?? '')?.[1];
  return rateHz === undefined ? null : 1000 / Number(rateHz);
}

/** The configuration built into a kernel (CONFIG_IKCONFIG_PROC). */
function ownConfiguration(files: MachineFiles): string | null {
  const bytes = files.bytes('/proc/config.gz');
  try {
    return bytes && gunzipSync(bytes).toString('utf8');
  } catch {
    return null;
  }
}

/** Duration of a tick of this kernel's clock, ms: 1 to 10; null when its configuration is not available. */
export function kernelTickMs(files: MachineFiles): number | null {
  const release = files.text('/proc/sys/kernel/osrelease') ?? '';
  const places = [`/boot/config-${release}`, `/lib/modules/${release}/config`];
  const configurations = [ownConfiguration(files), ...places.map((path) => files.text(path))];
  return configurations.map(tickMsIn).find((tickMs) => tickMs !== null) ?? null;
}
