import type { FillRequest } from '@cachescope/model/fill/trial.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { readAll } from '../../harness/experiments/fill/client.ts';
import { startFillOrigin, startThread } from '../../harness/experiments/fill/server.ts';
import { closing } from './place.ts';

const limitBytes = 512 * 1024 ** 2;
const readers = 100;
const rounds = 5;
/** Small enough that 100 concurrent readers do not saturate two cores: 36 MiB a second. */
const slow = { seed: 1, bytes: 1024 ** 2, durationMs: 3000, chunkHz: 10 };

/** Compares the edge with its own origin for a slow file, interleaved. */
export async function measureEdge(): Promise<void> {
  const origin = await startFillOrigin();
  await using _ = closing(origin);
  const direct: FillRequest[] = [];
  const shared: FillRequest[] = [];
  let originRequests = 0;
  for (let round = 0; round < rounds; round++) {
    const task = { pace: slow, workers: readers, timeMs: 1, shouldStop: () => false };
    const own = { ...task, base: origin.url, prefix: `direct-${round}` };
    direct.push(...(await readAll(own)).requests);
    const edge = await startThread({
      kind: 'edge',
      upstream: origin.url,
      mode: 'stream',
      limitBytes,
    });
    const mark = await origin.mark();
    const through = { ...task, base: edge.url, prefix: `shared-${round}` };
    shared.push(...(await readAll(through)).requests);
    originRequests += (await origin.since(mark)).length;
    await edge.close();
  }
  const firstByte = (requests: FillRequest[]) => median(requests.map((r) => r.firstByteMs ?? NaN));
  const [own, through] = [firstByte(direct) ?? NaN, firstByte(shared) ?? NaN];
  const wait = median(shared.map(({ byteWaitMs }) => byteWaitMs ?? NaN)) ?? NaN;
  const half = slow.durationMs / 2;
  console.log(
    `edge-stream, ${readers} readers of one 3 s file: first byte ${through.toFixed(1)} ms, the origin's own with as many ${own.toFixed(1)} ms: ${(through / own).toFixed(2)} times (medians of ${rounds} rounds)`,
  );
  console.log('Goal: within 2 times.');
  console.log(
    `average byte wait ${wait.toFixed(0)} ms, ${(100 * (wait / half - 1)).toFixed(1)} % from half the duration`,
  );
  console.log('Goal: within 5 %.');
  console.log(`hit rate ${(100 * (1 - originRequests / shared.length)).toFixed(2)} %`);
  console.log('Goal: 99 %.');
}
