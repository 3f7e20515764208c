import { statfs } from 'node:fs/promises';
import type { Check } from '../check.ts';

const gibibyte = 1024 ** 3;
/** Free space for image, profiles and results; and for a cache only. */
const scarceBytes = 2 * gibibyte;
const leastBytes = 0.25 * gibibyte;

/** Free space in the directory of images and profiles. */
export const diskSpace: Check = {
  id: 'disk-space',
  why: 'On a full disk Chromium caches nothing, and samples are lost.',
  async examine({ temporaryDirectory }) {
    const { bavail, bsize } = await statfs(temporaryDirectory);
    const free = bavail * bsize;
    const what = `${(free / gibibyte).toFixed(1)} GiB free in ${temporaryDirectory}`;
    if (free >= scarceBytes) return { status: 'ok', what };
    const todo = 'Free some space, or name another place with TMPDIR.';
    return { status: free < leastBytes ? 'refused' : 'warning', what, todo };
  },
};
