import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeUpShard } from '@cachescope/model/fixtures/made-up-shard.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { writeLines } from '../../harness/results/line-file.ts';

/** As long as the evidence of a measured sample, so that a line has about 1,000 bytes. */
const reasons = Array.from(
  { length: 6 },
  (_, place) => `made-up reason ${place} of the attribution, about as long as a measured one`,
);

/** Writes the shards of a made-up sweep, one a machine; returns their directories. */
export function writeLargeShards(
  directory: string,
  machines: number,
  samplesEach: number,
): string[] {
  return Array.from({ length: machines }, (_, place) => {
    const path = join(directory, `${place + 1}-of-${machines}`);
    const { run, samples } = madeUpShard(place + 1, machines);
    mkdirSync(path);
    const timed = samples.filter(({ kind }) => kind === 'timed');
    writeFileSync(join(path, 'run.json'), JSON.stringify({ ...run, status: 'complete' }));
    writeLines(join(path, 'samples.ndjson'), repeated(timed, samplesEach, place));
    return path;
  });
}

/** Samples of one launch after another, each launch with every cell 20 times. */
function* repeated(
  samples: ReturnType<typeof madeUpShard>['samples'],
  count: number,
  machine: number,
): Generator<object> {
  const cells = [...new Map(samples.map((each) => [JSON.stringify(each.cell), each])).values()];
  const random = createRandom(machine + 1);
  for (let sequence = 0; sequence < count; sequence++) {
    const like = cells[sequence % cells.length];
    const launch = Math.floor(sequence / (20 * cells.length));
    if (!like) return;
    yield {
      ...like,
      sequence,
      launch,
      pass: launch,
      takenAt: new Date(1_763_000_000_000 + sequence * 400).toISOString(),
      readMs: like.readMs * (1 + 0.02 * machine) * (1 + 0.1 * random()),
      evictionMs: 1 + random(),
      networkServiceMs: 3 + random(),
      attribution: { ...like.attribution, reasons },
    };
  }
}
