import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readRunOf } from '../harness/results/run-directory.ts';
import { linesOf, start, type Started } from './command-under-test.ts';

/** Starts a sweep that will be ended by a signal. */
export function startLongSweep(out: string): Started {
  const words =
    'sweep 1 50 1 --storage nbd-delay --workload synthetic:100KiB --no-recompress --env skip --out';
  return start([...words.split(' '), out]);
}

/** Interrupts the sweep after its first samples: it must save them. */
export async function expectInterruptible(
  { child, ended, until }: Started,
  out: string,
  signals: readonly NodeJS.Signals[],
): Promise<void> {
  await until(() => linesOf(join(out, 'samples.ndjson')).length >= 3);
  for (const signal of signals) child.kill(signal);
  const { code, stderr } = await ended;
  expect(code).toBe(130);
  const { run, samples } = await readRunOf('sweep', out);
  expect(run).toMatchObject({ status: 'partial', statusReason: 'interrupted' });
  expect(samples.length).toBeGreaterThanOrEqual(3);
  expect(stderr).toContain(`npm run sweep -- --resume ${out}`);
  expect(existsSync(join(out, 'report.html'))).toBe(true);
}
