import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { holds } from '@cachescope/model/statistics/interval.ts';
import { type MachineReading, pooledEffect } from '@cachescope/model/sweep/machine-effect.ts';
import { answerOf } from '../../harness/commands/query/command.ts';
import { openDatabase } from '../../harness/commands/query/database.ts';
import { sampleColumns, samplesFile } from '../../harness/results/formats/parquet.ts';
import { temporaryDirectory } from './place.ts';

const machines = 20;
/** Per machine: launches that read ten delays and two arms 100 times each. */
const launches = 125;
const samplesEach = launches * 2000;
/** Planted: DCB is this much slower, as a logarithm, and up to 0.1 more or less on a machine. */
const effect = 0.3;

/** A number from 0 to 1 for each text, the same on every machine. */
const chance = (text: string) => `(hash(${text}) % 1000003 / 1000003.0)`;

/** The made-up samples of a machine, numbered like those of a shard in Parquet. */
function madeUp(machine: number): string {
  const own = effect + (0.2 * machine) / (machines - 1) - 0.1;
  const made: Record<string, string> = {
    sequence: `${machine} + ${machines} * i`,
    kind: "'timed'",
    arm: "if(i % 2 = 0, 'br', 'dcb')",
    storage: "'nbd-live'",
    delay_ms: 'i // 2 % 10',
    launch: `${machine} + ${machines} * (i // 2000)`,
    machine: `'m${machine}'`,
    taken_at: 'make_timestamp(1763000000000000 + i * 400000)',
    read_ms: `(10 + 4 * (i // 2 % 10)) * exp(${0.02 * machine} + if(i % 2 = 1, ${own}, 0)
      + 0.05 * ${chance(`i // 2000 + ${machine * 1000}`)} + 0.1 * ${chance(`i + ${machine * samplesEach}`)})`,
    source: "'disk'",
    confidence: "'certain'",
    origin_requests: '0',
    device_reads: 'if(i % 2 = 0, 4, 13)',
    device_read_bytes: 'if(i % 2 = 0, 72000, 1044480)',
    device_shared: 'false',
    body_bytes: '1040500',
    sample_flags: "''",
  };
  const columns = Object.entries(sampleColumns).map(
    ([name, type]) => `CAST(${made[name] ?? 'NULL'} AS ${type}) AS ${name}`,
  );
  return `SELECT ${columns.join(', ')} FROM range(${samplesEach}) AS made(i)`;
}

async function write(directory: string): Promise<void> {
  using database = await openDatabase(directory);
  for (let machine = 0; machine < machines; machine++) {
    const file = database.file(join(`${machine}`, samplesFile));
    await database.rows(`COPY (${madeUp(machine)}) TO ${file} (FORMAT parquet, CODEC zstd)`);
  }
}

const cells = `SELECT arm, delay_ms, count(*), median(read_ms), quantile_cont(read_ms, [0.05, 0.95])
  FROM reads GROUP BY ALL ORDER BY ALL`;
const launchMedians = 'SELECT arm, delay_ms, machine, launch, read_ms FROM launches';

/**
 * 5 million made-up samples of 20 machines, summarised: medians and percentiles of every cell, and at every delay the
 * effect by machine, from the medians of the launches, with the pooled interval.
 */
export async function measureMillions(): Promise<void> {
  using directory = temporaryDirectory();
  const runs = Array.from({ length: machines }, (_, machine) => join(directory.path, `${machine}`));
  for (const run of runs) mkdirSync(run);
  // In a process of its own, so that the memory below is that of the summary alone.
  execFileSync(process.execPath, [import.meta.filename, directory.path]);
  const bytes = runs.reduce((sum, run) => sum + statSync(join(run, samplesFile)).size, 0);
  const start = performance.now();
  const table = await answerOf(runs, cells);
  const { rows } = await answerOf(runs, launchMedians);
  const effects = pooledByDelay(rows);
  const seconds = (performance.now() - start) / 1000;
  const held = effects.filter((each) => each?.interval && holds(each.interval, Math.expm1(effect)));
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${(machines * samplesEach).toLocaleString('en-US')} made-up samples of ${machines} machines (${(bytes / 1e6).toFixed(0)} MB of Parquet): ${table.rows.length} cells and ${rows.length} launch medians in ${seconds.toFixed(1)} s, at most ${peak.toFixed(0)} MiB (goal: 60 s, 1,024 MiB); the planted effect is in ${held.length} of ${effects.length} intervals`,
  );
}

/** The pooled effect at each delay. */
function pooledByDelay(rows: readonly unknown[][]) {
  const readings = rows.map(([arm, delayMs, machine, launch, value]) => ({
    arm,
    delayMs,
    reading: { machine: String(machine), launch: Number(launch), value: Number(value) },
  }));
  return [...Map.groupBy(readings, ({ delayMs }) => delayMs).values()].map((own) => {
    const of = (wanted: string): MachineReading[] =>
      own.flatMap(({ arm, reading }) => (arm === wanted ? [reading] : []));
    return pooledEffect(of('dcb'), of('br'));
  });
}

if (import.meta.main) await write(process.argv[2] ?? '');
