import { Command } from 'commander';
import { sweepDefaults } from './sweep-options.ts';

/** The command with its words and flags, and nothing to do yet. */
export function sweepWords(): Command {
  const defaults = sweepDefaults;
  return new Command('sweep')
    .summary('time cached reads of each arm over a range of disk latencies')
    .description(
      'Times cached reads of the same bytes, stored by Chromium from responses of different content codings, with its\n' +
        'cache on a device whose reads take a set time. The control, without that device, always comes first.',
    )
    .argument('[start]', 'first read delay, ms', defaults.start)
    .argument('[end]', 'last read delay, ms', defaults.end)
    .argument('[increment]', 'step between delays, ms', defaults.increment)
    .option('--delays <list>', 'read delays, ms, as 0,2,5,10, in place of the three words')
    .option('--samples <n>', 'timed reads of each arm at each point', defaults.samples)
    .option(
      '--launches <n>',
      `browser launches that these are spread over (default: "${defaults.launches}"; with the disk cache sql one a read)`,
    )
    .option('--arms <list>', 'of identity, gzip, br, zstd, dcb, dcz', defaults.arms)
    .option(
      '--workload <list>',
      `of pdfjs, three, synthetic:SIZE (default: "${defaults.workload}")`,
    )
    .option('--sizes <list>', 'synthetic workloads too, as 10kb,100kb,1mb,10mb, or none')
    .option('--dictionary <file>', 'your own pair: the older version')
    .option('--resource <file>', 'your own pair: the newer version')
    .option(
      '--precision <share>',
      'sample until each interval is as narrow, as 3%, or a pair is decided',
    )
    .option(
      '--max-time <time>',
      'begin no batch after it, as 20m; every cell gets --samples at least',
    )
    .option('--margin <share>', 'medians closer than this are the same', defaults.margin)
    .option('--disk-cache <list>', 'simple, blockfile, sql; several are compared')
    .option('--cache-size <list>', 'limit of the cache, as 64MiB; several are compared')
    .option('--file-system <list>', 'ext4, xfs, btrfs; several are compared')
    .option('--read-ahead <list>', 'of the slow device, KiB; several are compared')
    .option('--variants <file>', 'JSON: browsers, flags, features to compare; see the README')
    .option(
      '--storage <kind>',
      'auto, dm-delay, nbd-delay or none (control only)',
      defaults.storage,
    )
    .option('--slow <list>', 'what lies on the slow disk: cache, dictionaries, profile')
    .option(
      '--first-loads',
      'end each launch with loads from the network, with a dictionary and without',
      false,
    )
    .option('--what-if', 'read, too, what a hit would read if DCB were stored as DCB', false)
    .option('--delay-writes', 'delay writes and flushes as reads', false)
    .option('--write-delay <ms>', 'delay of each write')
    .option('--flush-delay <ms>', 'delay of each flush')
    .option('--bandwidth <rate>', 'of the slow device, as 20MB/s')
    .option('--bad-reads <share>', 'device reads that fail, 0 to 1')
    .option('--trace', 'trace one more read of each cell: its steps and its device reads', false)
    .option('--witness <name>', 'syscalls: trace, and write down the system calls too (strace)')
    .option('--browser <path>', 'Chromium to measure (default: CHROME_PATH, then what is found)')
    .option('--headful', 'show the browser', false)
    .option('--seed <n>', 'seed of the random order (default: drawn, and kept in run.json)')
    .option('--env <rule>', 'on a machine unfit to measure: throw, warn or skip', defaults.env)
    .option('--wait', 'wait for another run on this machine to end', false)
    .option('--out <dir>', 'new directory of the run (default: results/<time>_sweep)')
    .option('--resume <dir>', 'take what an interrupted run lacks')
    .option('--json', 'print summary.json instead of the tables', false)
    .option('--dry-run', 'print the plan and every privileged command, run nothing', false);
}
