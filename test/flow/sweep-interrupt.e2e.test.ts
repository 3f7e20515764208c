import { test } from 'vitest';
import { lacking } from '../command-under-test.ts';
import { expectInterruptible } from '../interrupted-sweep.ts';

// A terminal and npm each pass one Ctrl-C on, so two at the same moment are one wish.
test.skipIf(lacking)(
  'a sweep that is interrupted by Ctrl-C saves what there is and cleans up',
  () => expectInterruptible(['SIGINT', 'SIGINT']),
);
