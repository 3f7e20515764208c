import { readFileSync, statSync } from 'node:fs';
import { diskProfiles } from '@cachescope/model/explain/disk-profile.ts';
import { checked, parsedJson } from '@cachescope/model/parsed.ts';
import { messageOf } from '../error.ts';
import { type LatencyProfile, profileSchema } from '../storage/latency-profile.ts';
import type { Problems } from './option-reading.ts';

/** Maximum size of a profile, bytes: a profile has some hundred numbers. */
const largestFileBytes = 1_000_000;

/**
 * The shipped disks, from their vendors' specifications: a constant latency each, because no vendor publishes a
 * distribution.
 */
export const shippedProfiles: readonly LatencyProfile[] = diskProfiles.map((disk) => ({
  name: disk.name.toLowerCase().replaceAll(' ', '-'),
  source: disk.source,
  read: { kind: 'constant', ms: disk.delayMs },
  bandwidthBytesPerSecond: disk.bandwidthBytesPerSecond,
}));

/** Parses `--profile`: the name of a shipped disk, or a file. undefined, and a problem, when it is neither. */
export function readProfile(text: string, problems: Problems): LatencyProfile | undefined {
  const shipped = shippedProfiles.find(({ name }) => name === text);
  if (shipped) return shipped;
  const parsed = parsedFile(text);
  const found =
    'problems' in parsed ? parsed : checked(`--profile ${text}`, profileSchema, parsed.value);
  if ('value' in found) return found.value;
  problems.push(...found.problems);
  return undefined;
}

function parsedFile(path: string) {
  try {
    const { size } = statSync(path);
    if (size > largestFileBytes)
      return { problems: [`--profile ${path} has ${size} bytes; at most ${largestFileBytes}`] };
    return parsedJson(`--profile ${path}`, readFileSync(path, 'utf8'));
  } catch (error) {
    const names = shippedProfiles.map(({ name }) => name).join(', ');
    return {
      problems: [`--profile is no file (${messageOf(error)}) and none of ${names}`],
    };
  }
}
