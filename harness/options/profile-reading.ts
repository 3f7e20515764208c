import { diskProfiles } from '@cachescope/model/explain/disk-profile.ts';
import { checked, parsedJson } from '@cachescope/model/parsed.ts';
import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import { messageOf } from '../error.ts';
import { type LatencyProfile, profileSchema } from '../storage/latency-profile.ts';
import type { Problems } from './option-reading.ts';

/** Maximum size of a profile, bytes: a profile has some hundred numbers. */
const mostBytes = 1_000_000;

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
    return parsedJson(`--profile ${path}`, readForeignText(path, { mostBytes }));
  } catch (error) {
    const names = shippedProfiles.map(({ name }) => name).join(', ');
    return {
      problems: [`--profile is not a file (${messageOf(error)}) and none of ${names}`],
    };
  }
}
