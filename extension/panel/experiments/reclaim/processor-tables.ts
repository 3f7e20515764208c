import { count, digits, unknownText } from '@cachescope/model/quantity.ts';
import type { CpuShareLine } from '@cachescope/model/reclaim/cpu-share.ts';
import { accountingStates, publishedAccounting } from '@cachescope/model/reclaim/history.ts';
import type { ThreadStates } from '@cachescope/model/reclaim/threads.ts';
import type { TemplateResult } from 'lit';
import { plainTable } from '../../charts/plain-table.ts';

/** Time of each thread by state. */
export function threadTable(threads: readonly ThreadStates[]): TemplateResult {
  return plainTable(
    {
      label: 'Processor time by thread and state',
      titles: [
        'Process',
        'Thread',
        'Threads',
        'Program',
        'Kernel',
        'Waiting for a core',
        'Seen waiting for a device',
      ],
      caption:
        'Shares of one core over the whole run; the rest of the time a thread slept. The last column is the share of samples.',
      words: [1],
    },
    threads.map((each) => [
      each.type,
      each.thread,
      count(each.threads),
      percent(each.userShare),
      percent(each.systemShare),
      percent(each.waitingShare),
      percent(each.deviceShare),
    ]),
  );
}

/** Functions of the origin's thread by processor time while it was profiled. */
export function profileTable({ shares, spanMs }: CpuShareLine): TemplateResult {
  return plainTable(
    {
      label: 'The origin’s processor time by module',
      titles: ['Module', 'Share', 'Functions with the most time'],
      caption: `The origin’s thread for ${digits(spanMs / 1000)} s, by V8’s sampling profiler: self time of the functions.`,
      words: [2],
    },
    shares.map(({ module, share, functions }) => [
      module,
      percent(share),
      functions
        .filter(({ share: own }) => own >= leastShare)
        .map(({ name, share: own }) => `${name} ${percent(own)}`)
        .join(', '),
    ]),
  );
}

/** The accounting of one minute in BBC's Belfrage cache-limit report (2020). */
export function publishedAccountingTable(): TemplateResult {
  return plainTable(
    {
      label: 'Published microstate accounting',
      titles: ['Threads', ...accountingStates],
      caption:
        'Share of the time of each kind of thread in one minute of the replay in BBC’s Belfrage cache-limit report (2020): Erlang’s microstate accounting, in percent.',
    },
    publishedAccounting.map(({ thread, percent: shares }) => [thread, ...shares.map(digits)]),
  );
}

/** Smaller shares are shown as "below 0.1 %". */
const leastShare = 0.001;

function percent(share: number | null): string {
  if (share === null) return unknownText;
  return share > 0 && share < leastShare
    ? 'below 0.1 %'
    : `${digits(Math.round(1000 * share) / 10)} %`;
}
