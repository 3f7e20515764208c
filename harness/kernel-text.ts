import { readFileSync } from 'node:fs';

/** Text of a file in /proc, /sys or /lib/modules; empty when the kernel lacks it, its process has exited, or access is denied. */
export function kernelText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
