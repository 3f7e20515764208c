import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeLargeShards } from './large-shards.ts';
import { temporaryDirectory } from './place.ts';

const machines = 12;
const samplesEach = 416_667;

const cli = join(import.meta.dirname, '../../harness/cli.ts');
/** Makes a program print its own largest memory at its end, without that of the browser that draws charts. */
const telling =
  "data:text/javascript,process.on('exit',()=>console.error('KiB '+process.resourceUsage().maxRSS))";

/** 5 million made-up samples: the time and the memory of a merge, and of a report of the merged run. */
export async function measureLargeMerge(): Promise<void> {
  using directory = temporaryDirectory();
  const merged = join(directory.path, 'merged');
  const shards = join(directory.path, 'shards');
  mkdirSync(shards);
  const paths = writeLargeShards(shards, machines, samplesEach);
  const measured = [timed(['merge', ...paths, '--out', merged]), timed(['report', merged])];
  const { size } = statSync(join(merged, 'samples.ndjson'));
  console.log(
    `${(machines * samplesEach).toLocaleString('en-US')} made-up samples of ${machines} machines (samples.ndjson ${(size / 1e6).toFixed(0)} MB): ${measured.join(', ')}`,
  );
}

function timed(words: readonly string[]): string {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--import', telling, cli, ...words], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${words[0]} ended with ${status}: ${stderr}`);
  const seconds = (performance.now() - start) / 1000;
  const kib = Number(/^KiB (\d+)$/m.exec(stderr)?.[1]);
  return `${words[0]} in ${seconds.toFixed(0)} s with at most ${(kib / 1024).toFixed(0)} MiB`;
}
