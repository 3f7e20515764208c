import { join } from 'node:path';
import { nbdLivePackages } from '../../environment/setup/needs.mjs';
import type { BackEnd, DeviceParts } from './back-end.ts';
import type { DeviceProperties } from '../device-properties.ts';
import { latencyFile, writeLatencies } from '../latency-profile.ts';
import {
  changeBadReads,
  changeDelays,
  changeProfile,
  controlFile,
  makeControl,
} from './live-control.ts';
import { bringUpNbd, logFilter, requestLog } from './nbd-device.ts';

/** The script that nbdkit's Python plugin runs. */
const plugin = join(import.meta.dirname, 'nbd-live.py');

function nbdkitWords(
  parts: DeviceParts,
  { logsRequests = false, profile }: DeviceProperties,
): string[] {
  const log = logsRequests ? logFilter(parts) : { filters: [], words: [] };
  const control = controlFile(parts.directory);
  return [
    ...log.filters,
    'python',
    plugin,
    `image=${parts.image}`,
    `control=${control}`,
    ...(profile ? [`latencies=${latencyFile(parts.directory)}`] : []),
    ...log.words,
  ];
}

/**
 * User-space delay that changes live, in fractions of a ms, for kernels without dm-delay: an nbdkit plugin sleeps for
 * the time that it reads from a memory-mapped file.
 */
export const nbdLive: BackEnd = {
  kind: 'nbd-live',
  changesLive: true,
  packages: nbdLivePackages,
  title: "nbdkit's Python plugin behind nbdfuse and a loop device with direct I/O",
  delayedWritesText: 'writes and flushes delayed as reads',
  problems: () => Promise.resolve([]),
  bringUp(parts, properties) {
    if (!parts.privilege.dryRun) {
      makeControl(parts.directory, properties);
      if (properties.profile) writeLatencies(parts.directory, properties.profile);
    }
    return bringUpNbd(parts, nbdkitWords(parts, properties));
  },
  change({ directory, privilege }, properties) {
    if (!privilege.dryRun) changeDelays(directory, properties);
    return Promise.resolve();
  },
  requestLog,
  switchProfile({ directory, privilege }, properties, on) {
    if (!privilege.dryRun) changeProfile(directory, properties, on);
    return Promise.resolve();
  },
  switchBadReads({ directory, privilege }, { badReadRate }, on) {
    if (!privilege.dryRun) changeBadReads(directory, on ? badReadRate : 0);
    return Promise.resolve();
  },
};
