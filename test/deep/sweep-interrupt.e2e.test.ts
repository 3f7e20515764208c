import { join } from 'node:path';
import { test } from 'vitest';
import { base, expectNothingLeft, lacking } from '../command-under-test.ts';
import { expectInterruptible, startLongSweep } from '../interrupted-sweep.ts';

test.skipIf(lacking).for([['SIGINT'], ['SIGTERM']] as const)(
  'a sweep that is interrupted by one %j saves its samples and cleans up',
  async (signals) => {
    const out = join(base, signals.join('-'));
    await expectInterruptible(startLongSweep(out), out, signals);
    expectNothingLeft();
  },
);
