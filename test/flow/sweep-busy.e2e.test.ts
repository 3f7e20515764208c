import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { base, cachescope, expectNothingLeft, lacking, start } from '../command-under-test.ts';
import { expectInterruptible, startLongSweep } from '../interrupted-sweep.ts';

// Every run takes the machine's lock, with or without slow storage, so waiting for it needs no slow disk.
const small = 'sweep --workload synthetic:10KiB --arms br --storage none --env skip';

test.skipIf(lacking)(
  'a second sweep is refused with the pid of the first, or waits until Ctrl-C ends the first, which saves its samples',
  async () => {
    const out = join(base, 'first');
    const first = startLongSweep(out);
    await first.until(() => existsSync(join(out, 'samples.ndjson')));
    const second = await cachescope(...small.split(' '));
    expect(second.code).toBe(3);
    expect(second.stderr).toContain('CS_BUSY');
    expect(second.stderr).toContain(`process ${first.child.pid}`);
    const waiting = `${small} --samples 1 --launches 1 --wait --out`;
    const third = start([...waiting.split(' '), join(base, 'third')]);
    await third.until(() => third.said().includes(`Waiting for process ${first.child.pid}`));
    // A terminal and npm each forward one Ctrl-C, so two signals at the same moment count as one.
    await expectInterruptible(first, out, ['SIGINT', 'SIGINT']);
    const { code, stderr } = await third.ended;
    expect(code, stderr).toBe(0);
    expectNothingLeft();
  },
);
