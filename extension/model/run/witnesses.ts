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
 * held against it. A read without a body (`bodySha256` empty) failed, and brought no wrong bytes either.
 */
export function disagreements(
  sample: Pick<Sample, 'attribution' | 'originRequests' | 'device' | 'bodySha256'>,
  expected: { sha256: string; storedBytes: number | null },
): SampleFlag[] {
  const flags: SampleFlag[] = sample.bodySha256 === '' ? ['read-failed'] : [];
  if (sample.attribution.source !== 'disk') flags.push('source-not-disk');
  if (sample.originRequests > 0) flags.push('origin-touched');
  if (sample.device !== null && sample.device.reads === 0) flags.push('device-silent');
  else if (isShort(sample.device, expected.storedBytes)) flags.push('device-short');
  if (sample.bodySha256 !== '' && sample.bodySha256 !== expected.sha256) flags.push('wrong-body');
  return flags;
}

function isShort(device: Sample['device'], storedBytes: number | null): boolean {
  if (device === null || storedBytes === null) return false;
  const leniency = Math.max(shareElsewhere * storedBytes, bytesElsewhere);
  return device.readBytes < storedBytes - leniency;
}
