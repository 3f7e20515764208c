import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { $ } from 'zx';
import { nbdPackages } from '../../environment/setup/needs.mjs';
import type { BackEnd, DeviceParts } from './back-end.ts';
import { type DeviceProperties, fractionalDelays, propertiesAt } from '../device-properties.ts';
import { bringUpNbd, logFilter, requestLog } from './nbd-device.ts';

const probeLimitMs = 30_000;

/**
 * After a pause the rate filter passes a burst at once: by default two seconds' worth of the bandwidth, which is more
 * than a cached read needs. A request larger than the burst waits far too long, so requests are cut into pieces.
 * Measured: 1.0, 10 and 100 MB/s requested gave 1.0, 10.0 and 100 MB/s for reads of 128 KiB.
 */
const pieceKiB = 32;
const burstBytes = 64 * 1024;

/** While this file exists, reads fail at the rate that nbdkit was started with. */
function badReadsFile({ directory }: DeviceParts): string {
  return join(directory, 'bad-reads');
}

function delayWords({ readDelayMs, writeDelayMs }: DeviceProperties): string[] {
  return [`rdelay=${readDelayMs}ms`, `wdelay=${writeDelayMs}ms`];
}

/** nbdkit's arguments for the properties. Filters named first see a request first, so a failing read is delayed too. */
function nbdkitWords(parts: DeviceParts, properties: DeviceProperties): string[] {
  const { bandwidthBytesPerSecond, badReadRate, logsRequests = false } = properties;
  const log = logsRequests ? logFilter(parts) : { filters: [], words: [] };
  const filters = ['delay'];
  const words = [...log.words, ...delayWords(properties)];
  if (badReadRate > 0) {
    filters.push('error');
    words.push(`error-pread-rate=${badReadRate}`, `error-pread-file=${badReadsFile(parts)}`);
  }
  if (bandwidthBytesPerSecond !== null) {
    filters.push('blocksize', 'rate');
    // Enough digits for one byte, and never an exponent, which nbdkit does not parse.
    const burstSeconds = (burstBytes / bandwidthBytesPerSecond).toFixed(9);
    const bitsPerSecond = Math.round(bandwidthBytesPerSecond * 8);
    words.push(`maxdata=${pieceKiB}K`, `rate=${bitsPerSecond}`, `burstiness=${burstSeconds}`);
  }
  return [
    ...log.filters,
    ...filters.map((name) => `--filter=${name}`),
    'file',
    parts.image,
    ...words,
  ];
}

/**
 * Whether this nbdkit's delay filter supports fractions of a ms. Probed, not derived from its version: an older one
 * silently parses `0.5ms` as 0, but rejects microseconds.
 */
async function countsFractions(): Promise<boolean> {
  // A server on stdin and stdout, whose client leaves at once: one on a socket leaves the socket's directory when it fails.
  const probe = ['nbdkit', '-s', '--filter=delay', 'null', 'rdelay=1us'];
  const options = { stdio: 'ignore', quiet: true, nothrow: true, timeout: probeLimitMs } as const;
  const { exitCode } = await $(options)`${probe}`;
  return exitCode === 0;
}

/** User-space delay for kernels without dm-delay. nbdkit sets the delay when it starts, so a change restarts it. */
export const nbdDelay: BackEnd = {
  kind: 'nbd-delay',
  changesLive: false,
  packages: nbdPackages,
  title: "nbdkit's delay filter behind nbdfuse and a loop device with direct I/O",
  delayedWritesText: 'writes delayed as reads, flushes not',
  async problems(options, readDelayMs) {
    const fractions = fractionalDelays(propertiesAt(options, readDelayMs));
    const canDelay = fractions.length === 0 || (await countsFractions());
    const { flushDelayMs } = options;
    const problems = [
      options.profile &&
        'nbd-delay has one latency for all reads; for a profile use --storage nbd-live',
      !canDelay &&
        `the delay is ${fractions.join(' and ')} ms; this nbdkit counts delays in whole ms: round it, or use --storage nbd-live`,
      // Under delayed writes the flush delay is omitted, and the description says so (describe).
      flushDelayMs &&
        `the flush delay is ${flushDelayMs} ms; nbdkit's filter cannot delay flushes: use --storage nbd-live, or omit --flush-delay`,
    ];
    return problems.filter((problem) => typeof problem === 'string');
  },
  async bringUp(parts, properties) {
    if (!parts.privilege.dryRun) await rm(badReadsFile(parts), { force: true });
    return bringUpNbd(parts, nbdkitWords(parts, properties));
  },
  requestLog,
  async switchBadReads(parts, _properties, on) {
    if (on) await writeFile(badReadsFile(parts), '');
    else await rm(badReadsFile(parts), { force: true });
  },
};
