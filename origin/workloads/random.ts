import { createWorkload, type Workload } from './workload.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';

/** Of each block of this many bytes, `changedBytes` differ between the two versions: 1 %. */
const blockBytes = 6400;
const changedBytes = 64;

/**
 * Two versions of random bytes, which do not compress, identical on every machine. With the older version as dictionary
 * the newer one takes little more than its changed bytes.
 */
export function randomWorkload(bytes: number): Workload {
  const random = createRandom(3);
  const older = Buffer.from(Uint8Array.from({ length: bytes }, () => Math.floor(random() * 256)));
  const newer = Buffer.from(older);
  for (let start = 0; start < bytes; start += blockBytes)
    for (let at = start; at < Math.min(start + changedBytes, bytes); at++)
      newer[at] = Math.floor(random() * 256);
  const title = `random bytes, ${bytes.toLocaleString('en-US')} bytes, ${changedBytes} of each ${blockBytes} changed`;
  const about = { name: `random:${bytes}`, title, contentType: 'application/octet-stream' };
  return createWorkload(about, older, newer);
}
