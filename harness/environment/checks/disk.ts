import { statfsSync } from 'node:fs';
import { quantile } from '@cachescope/model/statistics/quantile.ts';
import { openProbeFile, probeOffset, writeProbeFile } from '../../storage/direct-read.ts';
import { blockBytes } from '../../storage/file-system.ts';
import { makeWorkDirectory } from '../../storage/journal/work-directory.ts';
import type { Check } from '../check.ts';
import { withoutRootText } from '../setup/missing.mjs';
import { directoryRemark, measurementBytes, roomRemark } from '../setup/surroundings.mjs';
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

/** Free space in the directory of images and profiles. */
export const diskSpace: Check = {
  id: 'disk-space',
  why: 'On a full disk Chromium caches nothing, and samples are lost.',
  examine({ temporaryDirectory }) {
    const remark = roomRemark(temporaryDirectory, measurementBytes);
    if (remark !== null) return refused(remark.what, remark.todo);
    const { bavail, bsize } = statfsSync(temporaryDirectory);
    return ok(`${((bavail * bsize) / 1e9).toFixed(1)} GB are free in ${temporaryDirectory}`);
  },
};

const reads = 64;
/** A disk that takes this long itself adds the time to every delay, ms. */
const slowMs = 1;

/** Direct 4 KiB reads on the disk that stores the image. */
export const diskSpeed: Check = {
  id: 'disk-speed',
  why: 'The latency of the disk below the image adds to every delay.',
  async examine({ privilege, temporaryDirectory }) {
    const remark = directoryRemark(temporaryDirectory);
    if (remark !== null) return warning(remark.what, remark.todo);
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
