import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { slurmScript } from './slurm-script.ts';

const base = mkdtempSync(join(tmpdir(), 'cachescope-slurm-test-'));
afterAll(() => rmSync(base, { recursive: true }));

/** A program that writes its arguments, one on a line, and its input to files. */
function recordingProgram(name: string, answer: string): void {
  const path = join(base, name);
  const [words, input] = [join(base, `${name}.words`), join(base, `${name}.input`)];
  writeFileSync(
    path,
    `#!/bin/sh\n{ printf '%s\\n' "$@"; echo; } >> '${words}'\n[ -t 0 ] || cat >> '${input}'\necho '${answer}'\n`,
  );
  chmodSync(path, 0o755);
}

test('an array of all shards is submitted, and a job after it that merges; paths keep their characters', () => {
  recordingProgram('sbatch', '17;cluster');
  recordingProgram('npm', '');
  const env = {
    PATH: `${base}:${process.env['PATH']}`,
    SLURM_ARRAY_TASK_ID: '2',
    SLURM_JOB_ID: '9',
  };
  const directory = join(base, "a $b 'c' 5%");
  mkdirSync(directory);
  for (const number of [1, 2]) mkdirSync(join(directory, `0a1b_${number}-of-2`));
  const plan = {
    planId: '0a1b',
    command: 'sweep',
    file: join(directory, 'plan.json'),
    shards: 2,
    programs: ['--variants', "it's.json"],
  };
  const bash = (script: string, ...words: string[]) => {
    const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], { env });
    expect(status, String(stderr)).toBe(0);
  };
  bash(slurmScript(plan, directory), '--partition=lab');
  const [array = '', merge = ''] = readFileSync(join(base, 'sbatch.words'), 'utf8').split('\n\n');
  expect(array.split('\n')).toEqual(
    expect.arrayContaining(['--parsable', '--array=1-2', '--exclusive', '--partition=lab']),
  );
  expect(array).toContain(`--output=${directory}%/0a1b_%a.log`);
  expect(merge.split('\n')).toEqual(
    expect.arrayContaining(['--dependency=afterany:17', '--partition=lab']),
  );
  bash(readFileSync(join(base, 'sbatch.input'), 'utf8').replaceAll('exec ', ''));
  const [shard = '', merged = ''] = readFileSync(join(base, 'npm.words'), 'utf8').split('\n\n');
  expect(shard.split('\n')).toEqual(
    ['run', 'sweep', '--', '--plan', plan.file, '--shard', 'auto', '--wait'].concat([
      ...plan.programs,
      '--out',
      `${directory}/0a1b_2-of-2`,
    ]),
  );
  expect(slurmScript(plan, null)).toContain('exec cachescope sweep --plan');
  expect(merged.split('\n')).toEqual(
    ['run', 'merge', '--', `${directory}/0a1b_1-of-2`, `${directory}/0a1b_2-of-2`].concat([
      '--out',
      `${directory}/0a1b_merged-9`,
    ]),
  );
});
