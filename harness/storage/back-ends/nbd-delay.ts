import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { $ } from 'zx';
import type { BackEnd, DeviceParts } from './back-end.ts';
import { type DeviceProperties, fractionalDelays, propertiesAt } from '../device-properties.ts';
import { bringUpNbd, logFilter, nbdPackages, requestLog } from './nbd-device.ts';

const probeLimitMs = 30_000;

/**
 * The rate filter lets a share of the bandwidth through at once after a pause: two seconds' worth unless it is told
 * otherwise, which is more than a cached read takes. One request may not be larger than that share, or it waits far too
 * long; so requests are cut into pieces. Measured: 1.0, 10 and 100 MB/s asked gave 1.0, 10.0 and 100 MB/s for reads of 128
 * KiB.
 */
const pieceKiB = 32;
const burstBytes = 64 * 1024;

/** While this file is there, reads fail at the rate that nbdkit was started with. */
function badReadsFile({ directory }: DeviceParts): string {
  return join(directory, 'bad-reads');
}

function delayWords({ readDelayMs, writeDelayMs }: DeviceProperties): string[] {
  return [`rdelay=${readDelayMs}ms`, `wdelay=${writeDelayMs}ms`];
}

/** nbdkit's words for the properties. Filters named first see a request first, so a read that fails has waited. */
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
    // More digits than it takes to tell a byte, and never an exponent, which nbdkit does not read.
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
 * Whether this nbdkit's delay filter counts in fractions of a ms. Asked, not derived from its version: an older one takes
 * `0.5ms` for 0 and does not say so, but knows no microseconds.
 */
async function countsFractions(): Promise<boolean> {
  const probe = ['nbdkit', '-U', '-', '--filter=delay', 'null', 'rdelay=1us', '--run', 'true'];
  const options = { quiet: true, nothrow: true, timeout: probeLimitMs } as const;
  const { exitCode } = await $(options)`${probe}`;
  return exitCode === 0;
}

/** User-space delay for kernels without dm-delay. The delay is fixed when nbdkit starts, so a change brings it up anew. */
export const nbdDelay: BackEnd = {
  kind: 'nbd-delay',
  changesLive: false,
  packages: nbdPackages,
  title: "nbdkit's delay filter behind nbdfuse and a loop device with direct I/O",
  delayedWritesText: 'writes delayed as reads, flushes not',
  async problems(options, readDelayMs) {
    const problems: string[] = [];
    if (options.profile)
      problems.push(
        `nbd-delay has one latency for all reads; for a profile use --storage nbd-live`,
      );
    const fractions = fractionalDelays(propertiesAt(options, readDelayMs));
    if (fractions.length > 0 && !(await countsFractions())) {
      problems.push(
        `the delay is ${fractions.join(' and ')} ms; this nbdkit counts delays in whole ms: round it, or use --storage nbd-live`,
      );
    }
    // Under delayed writes it is left away, and told (describe).
    if (options.flushDelayMs) {
      problems.push(
        `the flush delay is ${options.flushDelayMs} ms; nbdkit's filter cannot delay flushes: use --storage nbd-live, or leave it away`,
      );
    }
    return problems;
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
