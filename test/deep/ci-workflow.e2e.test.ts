import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { YAML } from 'zx';
import { expect, test } from 'vitest';
import { findChromium } from '../../harness/browser/find.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { base, environmentIn, expectNothingLeft, lacking } from '../command-under-test.ts';

const root = join(import.meta.dirname, '../..');

interface Step {
  name?: string;
  run?: string;
  env?: Record<string, string>;
}

interface Workflow {
  env: Record<string, string>;
  jobs: Record<string, { steps: Step[]; strategy?: { matrix: { number: number[] } } }>;
}

function workflowOf(name: string): Workflow {
  return YAML.parse(readFileSync(join(root, 'harness/docs', name), 'utf8')) as Workflow;
}

/** Runs the commands of a job's steps, each with the command with which a runner starts a Linux step. */
function runJob({ jobs }: Workflow, job: string, env: NodeJS.ProcessEnv) {
  const steps = jobs[job]?.steps.filter(({ run }) => run !== undefined) ?? [];
  return steps.map(({ name, run = '' }) => {
    // docs.github.com, workflow syntax: shell
    const { status, stderr } = spawnSync('bash', ['-e', '-c', run], { cwd: root, env });
    return { name, status, said: String(stderr) };
  });
}

test.skipIf(lacking)('every step of the documented workflow runs, in order', async () => {
  const workflow = workflowOf('ci-workflow.yml');
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
  const codes = runJob(workflow, 'gate', env);
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

test.skipIf(lacking)('the documented matrix of shards makes one merged run', async () => {
  const workflow = workflowOf('ci-shards.yml');
  // Artifacts are downloaded to the paths from which they were uploaded: here the jobs share them.
  const own = {
    PLAN: join(base, 'plan.json'),
    SHARDS: join(base, 'shards'),
    MERGED: join(base, 'merged'),
    DELAYS_MS: '1',
    SAMPLES: '2',
    LAUNCHES: '2',
  };
  expect(Object.keys(own).toSorted()).toEqual(Object.keys(workflow.env).toSorted());
  const { jobs, env: written } = workflow;
  // Every shard of the matrix has a launch.
  expect(Number(written['LAUNCHES'])).toBe(jobs['shard']?.strategy?.matrix.number.length);
  const env = { ...environmentIn(base), ...own };
  const succeed = (job: string, more = {}) => {
    for (const { status, said } of runJob(workflow, job, { ...env, ...more }))
      expect(status, said).toBe(0);
  };
  succeed('plan');
  for (const index of [0, 1]) {
    const values: Record<string, string> = {
      '${{ strategy.job-index }}': `${index}`,
      '${{ strategy.job-total }}': '2',
      '${{ runner.name }}': `runner-${index}`,
    };
    const [step] = jobs['shard']?.steps.filter(({ run }) => run !== undefined) ?? [];
    const set = Object.entries(step?.env ?? {}).map(([name, value]) => [name, values[value]]);
    expect(new Set(set.map(([, value]) => value))).toEqual(new Set(Object.values(values)));
    succeed('shard', Object.fromEntries(set));
  }
  succeed('merge');
  const { run } = await readRunOf('sweep', own.MERGED);
  expect(run.status, run.statusReason).toBe('complete');
  expect(run.merged?.shards.map(({ shard }) => shard.machine)).toEqual(['runner-0', 'runner-1']);
  expectNothingLeft();
});
