import { type Column, type Form, type Table, tableOf } from '../page/table.ts';
import { digits, percent, seconds, unknownText } from '../quantity.ts';
import { accountingStates, publishedAccounting } from './history.ts';
import type { CpuShareLine } from './run.ts';
import type { ThreadStates } from './usage.ts';

/** Maximum number of threads in the text. */
const maxThreads = 8;

/** Time of each thread by state. */
export function threadTable(threads: readonly ThreadStates[]): Table {
  const share = (
    key: string,
    title: string,
    value: (thread: ThreadStates) => number | null,
    forms?: readonly Form[],
  ): Column<ThreadStates> => ({
    key,
    title,
    value,
    text: (thread) => tenths(value(thread)),
    ...(forms && { in: forms }),
  });
  return tableOf<ThreadStates>({
    columns: [
      { key: 'process', title: 'Process', value: ({ type }) => type, kind: 'name' },
      { key: 'thread', title: 'Thread', value: ({ thread }) => thread, kind: 'name' },
      { key: 'threads', title: 'Threads', value: (each) => each.threads, in: ['html'] },
      share('program_share', 'Program', ({ userShare }) => userShare),
      share('kernel_share', 'Kernel', ({ systemShare }) => systemShare),
      share('core_share', 'Of a core', (each) => each.userShare + each.systemShare, ['report']),
      share('waiting_share', 'Waiting for a core', ({ waitingShare }) => waitingShare),
      share('device_share', 'Seen waiting for a device', ({ deviceShare }) => deviceShare, [
        'html',
      ]),
    ],
    rows: (form) => (form === 'html' ? threads : threads.slice(0, maxThreads)),
    group: () => ({
      title: 'Processor time by thread and state',
      caption:
        'Shares of one core over the whole run; the rest of the time a thread slept. The last column is the share of samples.',
    }),
    in: ['html', 'report'],
  });
}

type ModuleShare = CpuShareLine['shares'][number];

/** Functions of the origin's thread by processor time while it was profiled. */
export function profileTable({ shares, spanMs }: CpuShareLine): Table {
  return tableOf<ModuleShare>({
    columns: [
      {
        key: 'module',
        title: 'Module',
        value: ({ module }) => module,
        kind: 'name',
        in: ['html'],
      },
      {
        key: 'module',
        title: 'Module',
        value: ({ module }) => module.slice(-36),
        kind: 'name',
        in: ['report'],
      },
      {
        key: 'share',
        title: 'Share',
        value: ({ share }) => share,
        text: ({ share }) => tenths(share),
      },
      {
        key: 'functions',
        title: 'Functions with the most time',
        value: functionsText,
        kind: 'word',
        in: ['html'],
      },
      {
        key: 'functions',
        title: 'Most of it in',
        value: shortFunctionsText,
        kind: 'word',
        in: ['report'],
      },
    ],
    rows: (form) => (form === 'html' ? shares : shares.slice(0, maxThreads)),
    group: () => ({
      title: `Time of the origin's thread, profiled for ${seconds(spanMs)}`,
      caption: `The origin’s thread for ${seconds(spanMs)}, by V8’s sampling profiler: self time of the functions.`,
    }),
    in: ['html', 'report'],
  });
}

function functionsText({ functions }: ModuleShare): string {
  const named = functions.filter((each) => each.share >= minShare);
  return named.map((each) => `${each.name} ${tenths(each.share)}`).join(', ');
}

/** The names of two functions, short enough for 80 columns. */
function shortFunctionsText({ module, functions }: ModuleShare): string {
  const named = functions.filter(({ name }) => name !== module).slice(0, 2);
  return named.map(({ name }) => name.slice(0, 16)).join(', ');
}

/** Smaller shares are shown as "below 0.1 %". */
const minShare = 0.001;

/** A share in tenths of a percent. */
function tenths(share: number | null): string {
  if (share === null) return unknownText;
  return share > 0 && share < minShare ? 'below 0.1 %' : percent(Math.round(1000 * share) / 1000);
}

type Accounting = (typeof publishedAccounting)[number];

/** The accounting of one minute in BBC's Belfrage cache-limit report (2020). */
export function publishedAccountingTable(): Table {
  return tableOf<Accounting>({
    columns: [
      { key: 'threads', title: 'Threads', value: ({ thread }) => thread, kind: 'name' },
      ...accountingStates.map((state, place): Column<Accounting> => ({
        key: state,
        value: ({ percent: shares }) => shares[place] ?? null,
        text: ({ percent: shares }) => digits(shares[place] ?? null),
      })),
    ],
    rows: publishedAccounting,
    group: () => ({
      title: 'Published microstate accounting, %',
      caption:
        'Share of the time of each kind of thread in one minute of the replay in BBC’s Belfrage cache-limit report (2020): Erlang’s microstate accounting, in percent.',
    }),
    in: ['html', 'report'],
  });
}
