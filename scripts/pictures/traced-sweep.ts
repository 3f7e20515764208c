import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

function cachescope(...words: string[]): void {
  const { status } = spawnSync(
    'node',
    [join(root, 'scripts/start.mjs'), 'harness/cli.ts', ...words],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  if (status !== 0) throw new Error(`${words[0]} ended with exit code ${status}`);
}

/** A traced read in the trace, times in µs. */
export interface ReadEvent {
  name: string;
  cat: string;
  pid: number;
  ts: number;
  dur: number;
}

/** Measures a short sweep in a directory and writes its trace; returns its slowest read. */
export function tracedSweep(path: string, directory: string): ReadEvent {
  const run = join(directory, 'run');
  const few = ['--samples', '1', '--launches', '1', '--workload', 'synthetic:1MiB'];
  const plan = ['--delays', '5', '--trace', '--no-recompress', '--env', 'skip', ...few];
  cachescope('sweep', ...plan, '--wait', '--out', run);
  cachescope('report', run, '--perfetto', path);
  const { traceEvents } = JSON.parse(readFileSync(path, 'utf8')) as { traceEvents: ReadEvent[] };
  const reads = traceEvents.filter(({ cat }) => cat === 'cachescope.read');
  const [slowest] = reads.toSorted((one, other) => other.dur - one.dur);
  if (!slowest) throw new Error('the trace has no read');
  return slowest;
}
