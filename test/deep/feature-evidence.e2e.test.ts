import { join } from 'node:path';
import { featurePresets } from '@cachescope/model/features/presets.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { base, cachescope } from '../command-under-test.ts';

test('a real browser shows the evidence of every preset, and of none that changes nothing', async () => {
  const presets = featurePresets.map(({ name, parameter }) =>
    // Three databases are the default.
    parameter?.is === 'number' ? `${name}:1,3` : name,
  );
  const out = join(base, 'evidence');
  const short = ['--samples', '1', '--launches', '1', '--workload', 'synthetic:20KiB'];
  const words = ['--storage', 'none', '--env', 'skip', '--state', 'warm', ...short, '--out', out];
  const { code, stderr } = await cachescope('sweep', '--features', presets.join(','), ...words);
  expect(code, stderr).toBe(0);
  const { run, samples } = await readRunOf('sweep', out);
  const finding = summarize(run, samples).finding.join('\n');
  for (const { name, parameter, isOnByDefault } of featurePresets) {
    const setting = parameter?.is === 'number' ? '=1' : isOnByDefault ? '=off' : '';
    expect(finding).toContain(`; ${name}${setting} was in effect (`);
  }
  expect(finding.match(/ was in effect \(/g)).toHaveLength(featurePresets.length);
  const withheld =
    'sql-shards=3 is not shown to be in effect (without it too, the cache has 3 databases)';
  expect(finding).toContain(withheld);
  expect(run.warnings).toEqual([
    expect.stringContaining(`sql-shards=3 against disk-cache=sql gets no verdict: ${withheld}`),
  ]);
});
