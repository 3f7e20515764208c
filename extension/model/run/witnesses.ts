import { isOutOfState, type PageCacheState } from './page-cache-state.ts';
import type { Sample, SampleFlag } from './sample.ts';

/**
 * Share of an entry, or number of its bytes if that is more, that may already be in memory before it is read: pages
 * read at browser start, or by the read-ahead of a neighbouring file. With Chromium's SQL back end, the first read of
 * an entry in a launch read 77 to 120 % of it from the device, and repeated reads 0 to 5 %. A threshold inside one of
 * these ranges would split reads of one kind.
 */
const shareElsewhere = 1 / 3;
const bytesElsewhere = 32 * 1024;

/**
 * The flags of a cached read whose witnesses disagree. It must be attributed to the disk cache, must not reach the
 * origin, must read the entry from the device except for at most a third or 32 KiB, and must return the right bytes. So
 * for an entry of up to 32 KiB the device confirms only that it was read. Empty when all agree. A device with unknown
 * counters is not a witness and raises no flag. The bytes read are not checked for an entry of unknown size
 * (`storedBytes` null). With a warm page cache the device must not be read. A read without a body (`bodySha256` empty)
 * failed, and does not count as a wrong body.
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

/** A read of an unshared device shows that the page cache did not contain all data: something dropped it meanwhile. */
function wasRead(state: PageCacheState, device: Sample['device']): boolean {
  return state === 'warm' && device !== null && !device.shared && device.reads > 0;
}

function isShort(device: Sample['device'], storedBytes: number | null): boolean {
  if (device === null || storedBytes === null) return false;
  const leniency = Math.max(shareElsewhere * storedBytes, bytesElsewhere);
  return device.readBytes < storedBytes - leniency;
}
