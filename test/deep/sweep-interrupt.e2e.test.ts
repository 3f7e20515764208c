import { test } from 'vitest';
import { lacking } from '../command-under-test.ts';
import { expectInterruptible } from '../interrupted-sweep.ts';

test.skipIf(lacking).for([['SIGINT'], ['SIGTERM']] as const)(
  'a sweep that is interrupted by one %j saves what there is and cleans up',
  (signals) => expectInterruptible(signals),
);
