import type { PlannedDisk } from '../sweep/run.ts';

/** The properties of a disk that the model uses. */
export interface DiskProfile extends PlannedDisk {
  /** Source of the values, and how the delay is derived from them. */
  source: string;
}

const mega = 1e6;
const mebi = 1024 ** 2;

/** Delay of one read at queue depth 1, from reads per second. */
function delayOf(readsPerSecond: number): number {
  return 1000 / readsPerSecond;
}

/**
 * Disks with their makers' published values, fastest first. None was measured here. A published rate is the best of a
 * fresh device; a device in use is slower.
 */
export const diskProfiles: readonly DiskProfile[] = [
  {
    name: 'NVMe SSD',
    delayMs: delayOf(22_000),
    bandwidthBytesPerSecond: 7000 * mega,
    source:
      'Samsung 980 PRO data sheet: 22,000 random 4 KiB reads a second, one at a time; 7,000 MB/s',
  },
  {
    name: 'SATA SSD',
    delayMs: delayOf(13_000),
    bandwidthBytesPerSecond: 560 * mega,
    source:
      'Samsung 870 EVO data sheet: 13,000 random 4 KiB reads a second, one at a time; 560 MB/s',
  },
  {
    name: 'eMMC 5.1',
    delayMs: delayOf(11_000),
    bandwidthBytesPerSecond: 250 * mega,
    source:
      'Samsung eMMC 5.1, announced 2015: 11,000 random reads a second (queued; a single read takes longer); 250 MB/s',
  },
  {
    name: 'microSD A1',
    delayMs: delayOf(1500),
    bandwidthBytesPerSecond: 10 * mega,
    source:
      'SD Physical Layer 5.1, Application Performance Class 1, the minimum of a card: 1,500 random reads a second; 10 MB/s sustained',
  },
  {
    name: 'network volume',
    delayMs: 1,
    bandwidthBytesPerSecond: 125 * mebi,
    source:
      'Amazon EBS gp3 documentation: single-digit milliseconds (the lowest, 1, is used); baseline 125 MiB/s',
  },
  {
    name: 'hard disk',
    delayMs: 8.5 + 4.16,
    bandwidthBytesPerSecond: 210 * mega,
    source:
      'Seagate BarraCuda 3.5, 7200 rpm: average seek 8.5 ms and half a turn 4.16 ms; 210 MB/s. Sequential reads need no seek, so this is the maximum',
  },
];
