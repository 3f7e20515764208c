import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { base, cachescope, expectNothingLeft, lacking, start } from '../command-under-test.ts';

const small = ['--workload', 'synthetic:10KiB', '--arms', 'br', '--storage', 'nbd-delay'];
const unchecked = ['--env', 'skip'];

test.skipIf(lacking)(
  'a second sweep is refused with the pid of the first, or waits for it',
  async () => {
    const out = join(base, 'first');
    const long = ['sweep', '1', '50', '1', ...small, ...unchecked, '--out', out];
    const first = start(long);
    await first.until(() => existsSync(join(out, 'samples.ndjson')));
    const second = await cachescope('sweep', '1', '1', '1', ...small, ...unchecked);
    expect(second.code).toBe(3);
    expect(second.stderr).toContain('CS_BUSY');
    expect(second.stderr).toContain(`process ${first.child.pid}`);
    const waiting = ['--samples', '1', '--wait', '--out', join(base, 'third')];
    const third = start(['sweep', '1', '1', '1', ...small, ...unchecked, ...waiting]);
    await third.until(() => third.said().includes(`Waiting for process ${first.child.pid}`));
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(130);
    const { code, stderr } = await third.ended;
    expect(code, stderr).toBe(0);
    expectNothingLeft();
  },
);
