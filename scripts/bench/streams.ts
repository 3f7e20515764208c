import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '@cachescope/model/statistics/quantile.ts';
import { streamPath } from '@cachescope/origin/routes/stream.ts';

const originProgram = join(import.meta.dirname, '../../origin/cli.ts');
const streams = 1000;
/** 64 KiB a second each: 62 MiB a second in all, within the capacity of two cores. */
const pace = { bytes: 6 * 65_536, durationMs: 6000, chunkHz: 10 };
/**
 * Streams start in batches of this size over one second: starting a thousand connections at once would measure
 * something else.
 */
const batch = 20;
const batchPauseMs = 20;
/** Time from the first chunk to the last. */
const idealMs = pace.durationMs - 1000 / pace.chunkHz;

/** The origin with 1,000 concurrent streams: its memory, and whether it keeps their pace. */
export async function measureStreams(): Promise<void> {
  const args = [originProgram, '--port', '0', '--workload', 'synthetic:1KiB'];
  // It also ends when this process is killed.
  const origin = spawn(process.execPath, [...args, '--until-stdin-ends'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const agent = new Agent({ keepAlive: false });
  try {
    const url = await firstLine(origin);
    const before = memoryBytes(origin);
    const reading: Promise<number>[] = [];
    for (let stream = 0; stream < streams; stream++) {
      if (stream % batch === 0) await sleep(batchPauseMs);
      reading.push(durationMs(url + streamPath(`bench-${stream}`, pace), agent));
    }
    const durations = await Promise.all(reading);
    const off = durations.map((ms) => Math.abs(ms / idealMs - 1));
    console.log(
      `${streams} streams of 64 KiB/s at once: peak memory of the origin ${mebibytes(memoryBytes(origin))} MiB (${mebibytes(before)} before)`,
    );
    console.log('Goal: under 300 MB.');
    console.log(
      `Off their pace: median ${percent(quantile(off, 0.5))} %, 99 of 100 within ${percent(quantile(off, 0.99))} %, worst ${percent(quantile(off, 1))} %`,
    );
    console.log('Goal: within 2 %.');
  } finally {
    agent.destroy();
    origin.kill();
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the origin did not start')));
    child.stdout?.once('data', (data: Buffer) => resolve(data.toString().trim()));
  });
}

/** Time from the first bytes of a body to the last, ms. */
function durationMs(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (answer) => {
      let firstAt: number | null = null;
      let lastAt = 0;
      answer.on('data', () => {
        lastAt = performance.now();
        firstAt ??= lastAt;
      });
      answer.once('end', () => resolve(lastAt - (firstAt ?? lastAt)));
      answer.once('error', reject);
    });
    request.once('error', reject);
  });
}

/** Peak resident memory of the process, bytes (proc(5), VmHWM). */
function memoryBytes({ pid }: ChildProcess): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(0);
}

function percent(share: number | null): string {
  return share === null ? 'unknown' : (100 * share).toFixed(2);
}
