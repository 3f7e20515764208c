import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readRunOf } from '../harness/results/run-directory.ts';
import { base, expectNothingLeft, linesOf, start } from './command-under-test.ts';

/** Interrupts a sweep that has taken its first samples: it must save what there is, and clean up. */
export async function expectInterruptible(signals: readonly NodeJS.Signals[]): Promise<void> {
  const out = join(base, `interrupted-${signals.join('-')}`);
  const words = 'sweep 1 50 1 --storage nbd-delay --workload synthetic:100KiB --env skip --out';
  const { child, ended, until } = start([...words.split(' '), out]);
  await until(() => linesOf(join(out, 'samples.ndjson')).length >= 3);
  for (const signal of signals) child.kill(signal);
  const { code, stderr } = await ended;
  expect(code).toBe(130);
  const { run, samples } = await readRunOf('sweep', out);
  expect(run).toMatchObject({ status: 'partial', statusReason: 'interrupted' });
  expect(samples.length).toBeGreaterThanOrEqual(3);
  expect(stderr).toContain(`npm run report -- ${out}`);
  expect(existsSync(join(out, 'report.html'))).toBe(true);
  expectNothingLeft();
}
