import { quantile } from '@cachescope/model/statistics/quantile.ts';
import type { Check } from '../check.ts';
import { blockBytes } from '../../storage/file-system.ts';
import { openProbeFile, probeBytes, writeProbeFile } from '../../storage/direct-read.ts';
import { makeWorkDirectory } from '../../storage/journal/work-directory.ts';

const reads = 64;
/** A disk that takes this long itself adds the time to every delay, ms. */
const slowMs = 1;

/** Direct 4 KiB reads on the disk that stores the image. */
export const diskSpeed: Check = {
  id: 'disk-speed',
  why: 'The latency of the disk below the image adds to every delay.',
  async examine({ privilege }) {
    const work = await makeWorkDirectory('doctor', privilege);
    try {
      await writeProbeFile(work.path);
      const file = openProbeFile(work.path, blockBytes);
      if (file === null)
        return {
          status: 'note',
          what: 'The image is in memory, where direct reads are not possible',
        };
      const blocks = probeBytes / blockBytes;
      const times = Array.from({ length: reads }, (_, index) =>
        file.timedRead(((index * 997) % blocks) * blockBytes, blockBytes),
      );
      file.close();
      const value = quantile(times, 0.5) ?? Number.NaN;
      const what = `${value.toFixed(3)} ms for a direct 4 KiB read of the disk that holds the image, median of ${reads}`;
      if (value < slowMs) return { status: 'ok', what, value };
      return {
        status: 'warning',
        what,
        todo: 'Set TMPDIR to a faster disk, and use the measured delays.',
        value,
      };
    } finally {
      await work.remove();
    }
  },
};
