import { type StorageKind, storageKinds } from '@cachescope/model/run/sample.ts';
import { defaultMargin } from '@cachescope/model/statistics/verdict.ts';
import { checkDisplay, type Problems, integerFrom, readPlace } from './option-reading.ts';
import { environmentRules } from '../environment/environment-rule.ts';
import { oneOf } from './name-reading.ts';
import { quantity } from './quantity-option.ts';
import { readShard } from './shard-reading.ts';

/** The options that every experiment has. */
export const sharedOptions = {
  browser: {
    value: '<path>',
    description: 'Chromium to measure (default: CHROME_PATH, then what is found)',
  },
  seed: {
    value: '<n>',
    description: 'seed of the random order (default: random; kept in run.json)',
    read: integerFrom(0, 2 ** 32 - 1),
  },
  env: {
    value: '<rule>',
    description:
      'on a machine unfit to measure, or for a poor run: throw (exit code 3), warn, or skip the checks',
    default: 'warn',
    read: oneOf(environmentRules),
  },
  wait: { description: 'wait for another run on this machine, instead of being refused' },
  out: {
    value: '<dir>',
    description: 'new directory of the run (default: results/<time>_<experiment>)',
    read: readPlace,
  },
  shard: {
    value: '<n/count>',
    description:
      'take one part of the plan: 3/20, auto or env:INDEX,COUNT (harness/docs/machines.md)',
    read: readShard,
  },
  plan: {
    value: '<file>',
    description: 'take the plan from a file that npm run plan wrote',
  },
  upload: {
    value: '<command>',
    description:
      'run this command at the end; {} stands for the directory of the run, which is appended if there is none',
  },
  json: { description: 'print summary.json instead of the tables' },
  verbose: { description: 'print the whole report.txt instead of one screen' },
  dryRun: { description: 'print the plan and every privileged command, and measure nothing' },
} as const;

/** For experiments that launch a browser which can be shown. */
export const headful = {
  description: 'show the browser',
  check: (flag: string, problems: Problems): void => checkDisplay(flag, '', problems),
};

/** For experiments that compare. */
export const marginOption = {
  value: '<share>',
  description:
    'equivalence margin: SAME where the whole interval of the relative difference is within it',
  default: `${defaultMargin * 100}%`,
  read: quantity({ kind: 'share', from: '0.1%', to: '50%' }),
};

/** For experiments with a slow device; `description` says what it is for. */
export function storageOption(description: string, silent: 'auto' | StorageKind = 'auto') {
  return {
    value: '<kind>',
    description,
    default: silent,
    read: oneOf(['auto', ...storageKinds]),
  };
}
