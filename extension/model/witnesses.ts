import type { Sample, SampleFlag } from './sample.ts';

/**
 * The flags of a cached read whose witnesses disagree: it must be attributed to the disk cache, have left the origin
 * alone, have made the device read, and have brought the right bytes. Empty when all agree. A device whose counters
 * are unknown is no witness and raises no flag. A read without a body (`bodySha256` empty) failed, and brought no wrong
 * bytes either.
 */
export function disagreements(
  sample: Pick<Sample, 'attribution' | 'originRequests' | 'device' | 'bodySha256'>,
  expectedSha256: string,
): SampleFlag[] {
  const flags: SampleFlag[] = sample.bodySha256 === '' ? ['read-failed'] : [];
  if (sample.attribution.source !== 'disk') flags.push('source-not-disk');
  if (sample.originRequests > 0) flags.push('origin-touched');
  if (sample.device !== null && sample.device.reads === 0) flags.push('device-silent');
  if (sample.bodySha256 !== '' && sample.bodySha256 !== expectedSha256) flags.push('wrong-body');
  return flags;
}
