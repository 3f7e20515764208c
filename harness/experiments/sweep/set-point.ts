import type { SlowDisk } from '../../storage/disk.ts';
import type { Point } from './points.ts';

/** Sets the disk of a point to its delay, and switches its profile on or off. Does nothing on ordinary storage. */
export async function setPoint(
  disk: SlowDisk,
  { storage, delayMs, profile }: Point,
): Promise<void> {
  if (storage === 'none') return;
  await disk.setDelay(delayMs);
  await disk.setProfile?.(profile !== undefined);
}
