import type { Command } from 'commander';
import { sweepLike } from './sweep.ts';

/**
 * A plan that shows every step of the argument in a few minutes: all codings, sizes a thousandfold apart beside a real file,
 * and enough delays that the model can be tried on those that it was not fitted to.
 */
const presets = {
  samples: '6',
  launches: '6',
  arms: 'identity,gzip,br,zstd,dcb,dcz',
  workload: 'pdfjs',
  sizes: '10kb,10mb',
  delays: '0,2,5,10',
  slow: 'cache,dictionaries',
  firstLoads: true,
  whatIf: true,
  trace: true,
};

const examples = `
Examples:
  npm run explain
  npm run explain -- --delays 0,2,5,10 --sizes 10kb,1mb --samples 4
  npm run explain -- --dictionary old.js --resource new.js
  npm run explain -- --disk 0.3ms,120MB/s,64KiB
  npm run explain -- --sizes none --no-trace --no-first-loads
  npm run report -- results/DIR          the explanation again, from what was measured`;

/** `cachescope explain`: a sweep with everything that its explanation needs. */
export function explainCommand(): Command {
  return sweepLike({
    name: 'explain',
    summary: 'where the time of a cached read goes, a model of it, and what a fix would bring',
    description:
      'Takes a sweep over arms, sizes and delays and explains it: the device reads that a\n' +
      'hit waits for, its time on other disks, and its time if the body were stored otherwise.',
    presets,
    explain: true,
    examples,
  });
}
