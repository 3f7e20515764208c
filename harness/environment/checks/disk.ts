import { statfs } from 'node:fs/promises';
import { quantile } from '@cachescope/model/statistics/quantile.ts';
import { openProbeFile, probeOffset, writeProbeFile } from '../../storage/direct-read.ts';
import { blockBytes } from '../../storage/file-system.ts';
import { makeWorkDirectory } from '../../storage/journal/work-directory.ts';
import type { Check } from '../check.ts';
import { withoutRootText } from '../setup/missing.mjs';
import { note, ok, refused, warning } from '../finding.ts';

/** Whether devices can be created and the page cache dropped. */
export const privileges: Check = {
  id: 'privileges',
  why: 'Attaching slow storage and dropping the page cache need root.',
  examine({ isRoot, privilege, storage }) {
    if (isRoot) return ok('Runs as root');
    const obstacle = privilege.obstacle();
    if (obstacle === null) return ok('sudo asks for no password');
    const todo = 'For a slow disk run it as root, or allow sudo without a password.';
    const answer = storage === 'none' ? note : refused;
    return answer(withoutRootText(obstacle), todo);
  },
};

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
    if (free >= scarceBytes) return ok(what);
    const todo = 'Free some space, or name another place with TMPDIR.';
    return free < leastBytes ? refused(what, todo) : warning(what, todo);
  },
};

const reads = 64;
/** A disk that takes this long itself adds the time to every delay, ms. */
const slowMs = 1;

/** File systems in memory, by the type of statfs(2): tmpfs and ramfs. */
const inMemory: ReadonlySet<number> = new Set([0x01_02_19_94, 0x85_84_58_f6]);

/** Direct 4 KiB reads on the disk that stores the image. */
export const diskSpeed: Check = {
  id: 'disk-speed',
  why: 'The latency of the disk below the image adds to every delay.',
  async examine({ privilege, temporaryDirectory }) {
    if (inMemory.has((await statfs(temporaryDirectory)).type)) {
      const todo =
        'Name a directory on a disk: TMPDIR=/var/tmp. The control reads from memory otherwise.';
      return warning(`${temporaryDirectory} is in memory, not on a disk`, todo);
    }
    await using work = await makeWorkDirectory('doctor', privilege);
    await writeProbeFile(work.path);
    const file = openProbeFile(work.path, blockBytes);
    if (file === null) return note('The file system of the image has no direct reads');
    const times = Array.from({ length: reads }, (_, index) =>
      file.timedRead(probeOffset(index), blockBytes),
    );
    file.close();
    const value = quantile(times, 0.5) ?? Number.NaN;
    const what = `${value.toFixed(3)} ms for a direct 4 KiB read of the disk that holds the image, median of ${reads}`;
    const todo = 'Set TMPDIR to a faster disk, and use the measured delays.';
    return value < slowMs ? ok(what, null, value) : warning(what, todo, value);
  },
};
