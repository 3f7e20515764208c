import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { madeUpExperiment } from '../experiments/made-up-experiment.ts';
import {
  planContent,
  type PlanFile,
  planFileIdOf,
  planIdOf,
  requireSamePlan,
  untypedOptions,
} from './plan-file.ts';
import { planOf } from './plan-experiment.ts';
import { experimentCommand } from './run-experiment.ts';

const base = mkdtempSync(join(tmpdir(), 'cachescope-plan-test-'));
// No browser is searched for: its version would be part of the file.
vi.stubEnv('CHROME_PATH', join(base, 'none'));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true });
});

let stdout: MockInstance;
let stderr: MockInstance;
beforeEach(() => {
  stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

async function planned(name: string, ...words: string[]): Promise<string> {
  const path = join(base, name);
  await planOf(madeUpExperiment()).parseAsync([...words, '--out', path], { from: 'user' });
  return path;
}

const dryRun = (...words: string[]) =>
  experimentCommand(madeUpExperiment()).parseAsync([...words, '--dry-run'], { from: 'user' });

test('a plan keeps the command line and the drawn seed; machines take all of it or a part', async () => {
  const path = await planned('plan.json', '--throws', '5');
  const file = JSON.parse(readFileSync(path, 'utf8')) as PlanFile;
  expect(file).toMatchObject({ command: 'made-up', chromium: null, plan: { throws: 5 } });
  expect(file.options).toEqual({ throws: '5', seed: expect.stringMatching(/^\d+$/) });
  stdout.mockClear();
  await dryRun('--plan', path);
  await dryRun('--plan', path, '--shard', '1/3');
  await dryRun('--plan', path, '--shard', '3/3');
  expect(stdout.mock.calls).toEqual([['Throws  5\n'], ['Throws  2\n'], ['Throws  1\n']]);
});

test('a browser that was typed with a plan is typed for its shards, and is not in the file', async () => {
  const path = await planned('typed.json', '--browser', '/opt/chrome', '--slurm');
  expect(readFileSync(path, 'utf8')).not.toContain('/opt/chrome');
  expect(stderr.mock.calls.join('')).toContain('--shard 1/3 --browser /opt/chrome');
  expect(readFileSync(join(base, 'typed.slurm.sh'), 'utf8')).toContain(
    '--wait --browser /opt/chrome \\',
  );
});

test('a browser is written with its whole path, and one that reports no version makes no plan', async () => {
  await planned('relative.json', '--browser', 'opt/chrome', '--slurm');
  const script = readFileSync(join(base, 'relative.slurm.sh'), 'utf8');
  expect(script).toContain(`--browser ${resolve('opt/chrome')} `);
  const refused = planned('unknown.json', '--browser', '/bin/false');
  await expect(refused).rejects.toMatchObject({ code: 'CS_BROWSER_MISSING', exitCode: 3 });
  expect(existsSync(join(base, 'unknown.json'))).toBe(false);
});

test('a plan gets its shard from the engine that started it', async () => {
  const path = await planned('engine.json', '--throws', '5');
  stdout.mockClear();
  vi.stubEnv('JOB_COMPLETION_INDEX', '1');
  vi.stubEnv('CACHESCOPE_SHARDS', '2');
  await dryRun('--plan', path).finally(() => {
    vi.stubEnv('JOB_COMPLETION_INDEX', undefined);
    vi.stubEnv('CACHESCOPE_SHARDS', undefined);
  });
  expect(stdout.mock.calls).toEqual([['Throws  2\n']]);
});

test('a plan that was edited by hand, or belongs to another command, is refused', async () => {
  const path = await planned('changed.json', '--throws', '5');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"throws": 5', '"throws": 6'));
  await expect(dryRun('--plan', path)).rejects.toMatchObject({
    code: 'CS_PLAN_INVALID',
    message: expect.stringContaining('was changed after it was written') as string,
  });
  writeFileSync(path, text.slice(0, 40));
  await expect(dryRun('--plan', path)).rejects.toMatchObject({ code: 'CS_PLAN_INVALID' });
  await expect(dryRun('--plan', join(base, 'none.json'))).rejects.toMatchObject({
    code: 'CS_PLAN_INVALID',
  });
});

test.each([
  [['--shard', '2/6', '--seed', '1'], /6 shards for 3 launches/],
  [['--shard', '7/6'], /--shard is "7\/6"; it must name a shard/],
  [['--shard', '1/2'], /--shard needs --plan FILE, or the same --seed/],
])('%j is refused', async (words, message) => {
  await expect(dryRun(...words)).rejects.toMatchObject({
    code: 'CS_USAGE',
    message: expect.stringMatching(message) as string,
  });
});

test('beside a plan only options of the machine are allowed', async () => {
  const path = await planned('beside.json');
  await expect(dryRun('--plan', path, '--throws', '2', '--seed', '1')).rejects.toThrow(
    '--plan uses the plan of its file; remove --throws, --seed',
  );
});

test.each([
  [{ upload: 'rm -r' }, [], /options that only a command line may have/],
  [{ browser: '/tmp/evil' }, [], /options that only a command line may have/],
  [{ variants: '/tmp/evil.json' }, [], /the plan has --variants .*evil.json, .*: type --variants/],
  [{ nginx: '/tmp/evil' }, ['--throws', '1'], /type --nginx .* too/],
  [{ saveHar: '/tmp/a.har' }, [], /options that only a command line may have/],
  [{ url: 'http://evil.example/' }, [], /type --url http:\/\/evil\.example\/ too/],
  [{ external: true }, [], /the plan has --external, .* type --external too/],
  [{ origin: 'http://10.0.0.2' }, [], /type --origin http:\/\/10\.0\.0\.2 too/],
])(
  'no program that a plan names is started, no host contacted, unless it is typed: %j',
  async (more, words, says) => {
    const file = JSON.parse(readFileSync(await planned(`${Object.keys(more)[0]}.json`), 'utf8'));
    const forged = { ...file, options: { ...file.options, ...more } } as PlanFile;
    const path = join(base, 'forged.json');
    writeFileSync(path, JSON.stringify({ ...forged, id: planFileIdOf(forged) }));
    await expect(dryRun('--plan', path, ...words)).rejects.toThrow(says);
  },
);

test('a program of the plan that is typed too is taken', () => {
  const file = { options: { variants: 'a.json' } } as unknown as PlanFile;
  expect(untypedOptions(file, { variants: 'a.json' })).toEqual([]);
});

test('files for Slurm and Kubernetes are written beside the plan, for as many shards as launches or fewer', async () => {
  const path = await planned('both.json', '--throws', '5', '--slurm', '--kubernetes', 'own/image');
  const { id } = JSON.parse(readFileSync(path, 'utf8')) as PlanFile;
  const script = readFileSync(join(base, 'both.slurm.sh'), 'utf8');
  expect(script).toContain(`npm run made-up -- --plan ${path} --shard auto`);
  expect(script).toContain('--array=1-5');
  const job = readFileSync(join(base, 'both.job.yaml'), 'utf8');
  expect(job).toContain(`name: cachescope-${id.slice(0, 12)}`);
  expect(job).toContain('image: own/image');
  expect(job).toContain('completions: 5');
  await planned('two.json', '--slurm', '--shards', '2');
  expect(readFileSync(join(base, 'two.slurm.sh'), 'utf8')).toContain('--array=1-2');
});

test.each([
  [['--shards', '2'], '--shards needs --slurm or --kubernetes'],
  [['--shards', '0', '--slurm'], '--shards is "0"; it must be a whole number from 1 to 10000'],
  [['--shards', '4', '--slurm'], '4 shards for 3 launches'],
])('a plan with %j is refused, and nothing is written', async (words, message) => {
  await expect(planned('refused.json', ...words)).rejects.toThrow(message);
  expect(readdirSync(base).filter((name) => name.startsWith('refused'))).toEqual([]);
});

test('a script that exists is not replaced', async () => {
  writeFileSync(join(base, 'kept.slurm.sh'), 'mine');
  await expect(planned('kept.json', '--slurm')).rejects.toThrow('--slurm');
  expect(readFileSync(join(base, 'kept.slurm.sh'), 'utf8')).toBe('mine');
});

test('the same plan has the same id in any field order; another value changes the id', () => {
  const id = (plan: object, beside?: unknown) => planIdOf(planContent('sweep', plan, beside));
  expect(id({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(id({ b: [{ d: 3, c: 2 }], a: 1 }));
  expect(id({ a: 1 })).not.toBe(id({ a: 2 }));
  expect(id({ a: 1 }, 'page')).not.toBe(id({ a: 1 }, 'other page'));
});

test('a machine that makes another plan gets every difference', () => {
  const file = planContent('sweep', { storage: 'dm-delay', seed: 1, sha: 'x' }, null);
  const made = planContent('sweep', { storage: 'nbd-live', seed: 1, sha: 'y' }, null);
  const full = { ...file, kind: 'cachescope plan' as const, id: '', plannedAt: '', options: {} };
  expect(() => requireSamePlan({ ...full, chromium: null }, file)).not.toThrow();
  expect(() => requireSamePlan({ ...full, chromium: null }, made)).toThrow(
    /storage: "dm-delay" in the plan, "nbd-live" here\n {2}- sha: "x" in the plan, "y" here/,
  );
});
