import { isOutOfState, type PageCacheState } from './page-cache-state.ts';
import type { Sample, SampleFlag } from './sample.ts';

/**
 * What of an entry may lie in memory before it is read: pages that starting has read, or that were read ahead for a
 * neighbour. Chromium's SQL back end read 77 to 120 % of an entry from the device where it was read once a launch, and 0 to 5 %
 * where again; a limit that falls within one of the two would choose among reads of one kind.
 */
const shareElsewhere = 1 / 3;
const bytesElsewhere = 32 * 1024;

/**
 * The flags of a cached read whose witnesses disagree: it must be attributed to the disk cache, have left the origin
 * alone, have made the device read the entry (two thirds of it at least), and have brought the right bytes. Empty when all agree. A device
 * whose counters are unknown is no witness and raises no flag, and an entry of unknown size (`storedBytes` null) is not
 * held against it. Of a warm page cache the device must not be read. A read without a body (`bodySha256` empty) failed, and brought no wrong bytes either.
 */
export function disagreements(
  sample: Pick<Sample, 'attribution' | 'originRequests' | 'device' | 'bodySha256' | 'residency'>,
  expected: { sha256: string; storedBytes: number | null; state?: PageCacheState | undefined },
): SampleFlag[] {
  const flags: SampleFlag[] = sample.bodySha256 === '' ? ['read-failed'] : [];
  if (sample.attribution.source !== 'disk') flags.push('source-not-disk');
  if (sample.originRequests > 0) flags.push('origin-touched');
  const { state = 'cold' } = expected;
  const device = state === 'warm' ? null : sample.device;
  if (device !== null && device.reads === 0) flags.push('device-silent');
  else if (isShort(device, expected.storedBytes)) flags.push('device-short');
  if (isOutOfState(state, sample.residency ?? null) || wasRead(state, sample.device))
    flags.push('page-cache-state');
  if (sample.bodySha256 !== '' && sample.bodySha256 !== expected.sha256) flags.push('wrong-body');
  return flags;
}

/** A device of its own that is read has shown that the page cache did not hold all: somebody dropped it meanwhile. */
function wasRead(state: PageCacheState, device: Sample['device']): boolean {
  return state === 'warm' && device !== null && !device.shared && device.reads > 0;
}

function isShort(device: Sample['device'], storedBytes: number | null): boolean {
  if (device === null || storedBytes === null) return false;
  const leniency = Math.max(shareElsewhere * storedBytes, bytesElsewhere);
  return device.readBytes < storedBytes - leniency;
}
