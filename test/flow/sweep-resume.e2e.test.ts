import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellKey, type Sample } from '@cachescope/model/run/sample.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { base, cachescope, expectNothingLeft, lacking, lastTaken } from '../command-under-test.ts';

const words = '1 1 1 --samples 2 --launches 2 --workload synthetic:100KiB --storage nbd-delay';
const plan = [...words.split(' '), '--no-recompress', '--env', 'skip'];

describe.skipIf(lacking)('a resumed run', () => {
  const out = join(base, 'resumed');
  const runFile = join(out, 'run.json');
  const samplesFile = join(out, 'samples.ndjson');

  beforeAll(async () => {
    const ended = await cachescope('sweep', ...plan, '--out', out);
    expect(ended.code, ended.stderr).toBe(0);
  });

  interface Changed {
    status: string;
    environment: { kernel: string; chromium: { path: string } };
  }

  function change(edit: (run: Changed) => void): void {
    const run = JSON.parse(readFileSync(runFile, 'utf8'));
    edit(run);
    writeFileSync(runFile, JSON.stringify(run));
  }

  test('every cell is sampled by two launches, each of which samples both arms', async () => {
    const { samples } = await readRunOf('sweep', out);
    const timed = samples.filter(({ kind }) => kind === 'timed');
    const launches = Map.groupBy(timed, ({ cell }) => cellKey(cell));
    expect(launches.size).toBe(2 * 2);
    for (const own of launches.values())
      expect(new Set(own.map(({ launch }) => launch)).size).toBe(2);
    for (const own of Map.groupBy(timed, ({ launch }) => launch).values())
      expect(own.map(({ cell }) => cell.arm).toSorted()).toEqual(['br', 'dcb']);
  });

  test('a complete run is refused, and so are options that would change its plan', async () => {
    const complete = await cachescope('sweep', '--resume', out);
    expect(complete.code).toBe(2);
    expect(complete.stderr).toContain('CS_RESUME_COMPLETE');
    const changed = await cachescope('sweep', '5', '--resume', out, '--seed', '3');
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain('remove "5", --seed');
  });

  test('exactly the missing samples are taken; a truncated line is reported, and no program of run.json is started', async () => {
    const planted = join(base, 'planted');
    writeFileSync(planted, `#!/bin/sh\ntouch ${planted}-ran\nexit 1\n`, { mode: 0o755 });
    const lines = readFileSync(samplesFile, 'utf8').trimEnd().split('\n');
    const kept = lines.slice(0, 5);
    writeFileSync(samplesFile, `${kept.join('\n')}\n${lines[5]?.slice(0, 40)}`);
    change((run) => {
      run.status = 'running';
      run.environment.chromium.path = planted;
    });
    const ended = await cachescope('sweep', '--resume', out);
    expect(ended.code, ended.stderr).toBe(0);
    const { run, samples } = await readRunOf('sweep', out);
    const before = lines.map((line) => JSON.parse(line) as Sample);
    expect(lastTaken(samples)).toHaveLength(lastTaken(before).length);
    expect(new Set(samples.map(({ sequence }) => sequence)).size).toBe(samples.length);
    expect(run.resumed).toMatchObject([{ samples: 5 }]);
    expect(run.warnings.join('\n')).toContain('1 line of samples.ndjson could not be used');
    expect(readFileSync(samplesFile, 'utf8').startsWith(kept.join('\n'))).toBe(true);
    expect(existsSync(`${planted}-ran`)).toBe(false);
  });

  test('another kernel is refused: its cells would not be comparable', async () => {
    change((run) => {
      run.status = 'partial';
      run.environment.kernel = '5.0 of another machine';
    });
    const before = readFileSync(samplesFile, 'utf8');
    const refused = await cachescope('sweep', '--resume', out);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('CS_RESUME_CHANGED');
    expect(refused.stderr).toContain('kernel: was 5.0 of another machine');
    expect(readFileSync(samplesFile, 'utf8')).toBe(before);
    expectNothingLeft();
  });
});
