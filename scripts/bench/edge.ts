import { Agent, get } from 'node:http';
import type { FillRequest } from '@cachescope/model/fill/trial.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { streamPath } from '@cachescope/origin/routes/stream.ts';
import { readAll } from '../../harness/experiments/fill/client.ts';
import {
  type FillOrigin,
  startFillOrigin,
  startThread,
} from '../../harness/experiments/fill/server.ts';
import { ownNginx } from '../../harness/nginx/nginx-binary.ts';
import { startNginx } from '../../harness/nginx/nginx.ts';
import { nginxConfig, type NginxPlace } from '../../harness/nginx/nginx-config.ts';
import { createPrivilege } from '../../harness/privilege.ts';

const limitBytes = 512 * 1024 ** 2;
const readers = 100;
const rounds = 5;
/** Small enough that 100 concurrent readers do not saturate two cores: 36 MiB a second. */
const slow = { seed: 1, bytes: 1024 ** 2, durationMs: 3000, chunkHz: 10 };
const warm = { seed: 1, bytes: 30 * 1024 ** 2, durationMs: 0, chunkHz: 10 };
const warmReaders = 8;
const warmMs = 1500;

/** Compares the edge with its own origin for a slow file, and with nginx for a warm cache; all interleaved. */
export async function measureEdge(): Promise<void> {
  const origin = await startFillOrigin();
  try {
    await measureSlow(origin);
    await measureWarm(origin);
  } finally {
    await origin.close();
  }
}

async function measureSlow(origin: FillOrigin): Promise<void> {
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

async function measureWarm(origin: FillOrigin): Promise<void> {
  const binary = await ownNginx();
  const task = { kind: 'edge', upstream: origin.url, mode: 'stream', limitBytes } as const;
  const edge = await startThread(task);
  const privilege = createPrivilege({ dryRun: false, say: () => undefined });
  const { host } = new URL(origin.url);
  const options = { mode: 'lock', origin: host, workers: readers, limitBytes } as const;
  const configOf = (place: NginxPlace) => nginxConfig({ ...options, ...place });
  const nginx = binary && (await startNginx(binary, configOf, privilege));
  const rates = { edge: [] as number[], nginx: [] as number[] };
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const [name, server] of Object.entries({ edge, nginx }) as [
        keyof typeof rates,
        typeof nginx,
      ][]) {
        if (!server) continue;
        const rate = await warmRate(server.url);
        // The first round populates the caches.
        if (round > 0) rates[name].push(rate);
      }
    }
  } finally {
    await edge.close();
    await nginx?.close();
  }
  const [ours, theirs] = [median(rates.edge), median(rates.nginx)];
  const beside =
    ours !== null && theirs !== null
      ? `, nginx ${theirs.toFixed(0)} MB/s: ${(ours / theirs).toFixed(2)} of it`
      : '; there is no nginx to compare it with';
  console.log(
    `full speed, cache warm, ${warmReaders} readers: edge ${ours?.toFixed(0)} MB/s${beside}`,
  );
  console.log('Goal: at least 0.5.');
}

/** Rate at which readers receive one cached file, MB a second. */
async function warmRate(base: string): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  let bytes = 0;
  const read = () =>
    new Promise<void>((resolve, reject) => {
      const request = get(base + streamPath('warm', warm), { agent }, (answer) => {
        answer.on('data', (chunk: Buffer) => (bytes += chunk.byteLength));
        answer.once('end', resolve);
        answer.once('error', reject);
      });
      request.once('error', reject);
    });
  const work = async () => {
    while (performance.now() - startedAt < warmMs) await read();
  };
  await Promise.all(Array.from({ length: warmReaders }, work));
  agent.destroy();
  return bytes / (performance.now() - startedAt) / 1000;
}
