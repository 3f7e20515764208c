/** Symptoms in the results or in the terminal that are no errors, or precede one, each with its fix. */
export const symptoms: readonly { seen: string; fix: string }[] = [
  {
    seen: 'A point is marked `!`.',
    fix: 'The measured delay was outside tolerance: in a check, or, where each launch reads at every delay, in more than half of the checks of one disk. The machine was busy. Measure that point again.',
  },
  {
    seen: 'Samples are flagged `device-silent`.',
    fix: 'Something above the disk answered, for example a cache in memory.',
  },
  {
    seen: 'Samples are flagged `device-short`.',
    fix: "The device delivered much less than the entry holds: the rest came from the browser's memory. Choose the SQL back end with `--disk-cache sql` or in a variants file, not with a flag of the browser: each read then has its own launch.",
  },
  {
    seen: 'Samples are flagged `page-cache-state`.',
    fix: 'Files of the cache stayed in memory (`file-cold`) or did not stay there (`warm`): another program reads them, or drops the page cache. On tmpfs nothing can be dropped.',
  },
  {
    seen: 'The control is faster than any disk.',
    fix: 'TMPDIR is on tmpfs, where nothing can be dropped from memory and no device counts. Set TMPDIR to a directory on a disk.',
  },
  {
    seen: 'A mount or loop device is left after a crash.',
    fix: 'Run `npm run clean`. The next run does it too.',
  },
  {
    seen: 'Privileged commands are not allowed.',
    fix: '`npm run sweep -- --dry-run` shows every command that needs root. `--storage none` needs root only to drop the page cache.',
  },
  {
    seen: 'On Ubuntu, Chromium does not use the cache directory.',
    fix: 'The package `chromium` is a snap there and cannot use a cache outside your home. Use Chrome for Testing with `--browser`.',
  },
];
