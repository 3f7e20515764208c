import { sweep } from '../sweep/experiment.ts';
import { explainOptions } from './options.ts';

const help = `
Examples:
  npm run explain
  npm run explain -- --delays 0,2,5,10 --sizes 10KiB,1MiB --samples 4
  npm run explain -- --dictionary old.js --resource new.js
  npm run explain -- --disk 0.3ms,120MB/s,64KiB
  npm run explain -- --sizes none --no-trace --no-first-loads
  npm run report -- results/DIR          the explanation again, from the saved samples`;

/** A sweep with all measurements that its explanation needs. */
export const explain: typeof sweep = {
  ...sweep,
  command: 'explain',
  summary:
    'explain cached reads: their steps, a model, break-even, and predictions for other disks',
  description:
    'Runs a sweep over arms, sizes and delays and explains it: the device reads that a ' +
    'hit waits for, its time on other disks, and its time if the body were stored in another form.',
  help,
  options: explainOptions,
  firstOptions: ['delays', 'workload', 'sizes', 'disk', 'dryRun'],
};
