import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { YAML } from 'zx';
import { expect, test } from 'vitest';
import { findChromium } from '../../harness/browser/find.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { base, environmentIn, expectNothingLeft, lacking } from '../command-under-test.ts';

const root = join(import.meta.dirname, '../..');

interface Workflow {
  env: Record<string, string>;
  jobs: { gate: { steps: { name?: string; run?: string }[] } };
}

test.skipIf(lacking)('every step of the documented workflow runs, in order', async () => {
  const text = readFileSync(join(root, 'harness/docs/ci-workflow.yml'), 'utf8');
  const workflow = YAML.parse(text) as Workflow;
  const { path } = (await findChromium(undefined)) ?? { path: '' };
  const results = join(base, 'ci');
  const summary = join(base, 'step.md');
  const own = {
    STOCK: path,
    PATCHED: path,
    RESULTS: results,
    DELAYS_MS: '1',
    SAMPLES: '2',
    LAUNCHES: '1',
  };
  expect(Object.keys(own).toSorted()).toEqual(Object.keys(workflow.env).toSorted());
  const env = {
    ...environmentIn(base),
    ...own,
    RUNNER_TEMP: base,
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: summary,
  };
  const steps = workflow.jobs.gate.steps.filter(({ run }) => run !== undefined);
  const codes = steps.map(({ name, run = '' }) => {
    // The same command with which a runner starts a Linux step (docs.github.com, workflow syntax: shell).
    const { status, stderr } = spawnSync('bash', ['-e', '-c', run], { cwd: root, env });
    return { name, status, said: String(stderr) };
  });
  const [named, measured, gate] = codes;
  expect([named?.status, measured?.status], measured?.said).toEqual([0, 0]);
  const { samples } = await readRunOf('sweep', results);
  expect(new Set(samples.map(({ cell }) => cell.variant))).toEqual(new Set(['stock', 'patched']));
  const junit = readFileSync(join(results, 'gates.xml'), 'utf8');
  // The same Chromium on both sides: a cell may differ by chance, and then every output must report it.
  const hasFailed = /failures="[1-9]/.test(junit);
  expect(gate?.status, gate?.said).toBe(hasFailed ? 10 : 0);
  expect(/^::error /m.test(gate?.said ?? '')).toBe(hasFailed);
  expect(existsSync(summary)).toBe(true);
  expectNothingLeft();
});
