import { existsSync } from 'node:fs';
import { $ } from 'zx';

/** udev probes a new disk with a few dozen reads, each delayed. */
const limitSeconds = 30;

/** Waits until udev has probed new devices: its reads would be counted among ours, and they keep a device busy. */
export async function settleDevices(): Promise<void> {
  // Containers have no udev; then nothing probes.
  if (!existsSync('/run/udev/control')) return;
  await $({ quiet: true, nothrow: true })`udevadm settle --timeout=${limitSeconds}`;
}
