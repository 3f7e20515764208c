import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import {
  byteSize,
  count,
  counted,
  digits,
  milliseconds,
  percent,
  seconds,
  unknownText,
} from '@cachescope/model/quantity.ts';
import {
  accountingStates,
  publishedAccounting,
  publishedReplay,
} from '@cachescope/model/reclaim/history.ts';
import type { Hypothesis } from '@cachescope/model/reclaim/hypothesis.ts';
import { policyLabels, type ReclaimPlan, trafficWords } from '@cachescope/model/reclaim/plan.ts';
import {
  type CpuShareLine,
  linesByKind,
  type ReclaimRunDocument,
} from '@cachescope/model/reclaim/run.ts';
import type { EvictionOverview, ReclaimSummary } from '@cachescope/model/reclaim/summary.ts';
import { type ReclaimUsage, sampledText, threadStates } from '@cachescope/model/reclaim/usage.ts';
import type { ReclaimWindow } from '@cachescope/model/reclaim/window.ts';
import { plainTable } from '../../results/plain-table.ts';
import { publishedText, vegetaText } from './vegeta.ts';
import { wrap } from '../../results/wrap.ts';

const width = 80;
/** Maximum number of threads shown. */
const mostThreads = 8;

/** The results of a cache under load, for 80 columns. `published` adds the values of the BBC Belfrage report. */
export function reclaimText(
  { run: { plan }, lines }: ReclaimRunDocument,
  { trust, report, usage, reclaims, cpu, hypotheses, finding, warnings }: ReclaimSummary,
  published: boolean,
): string {
  return [
    wrap(title(plan), width),
    '',
    ...vegetaText(report),
    '',
    ...usageText(usage, plan).map((each) => wrap(each, width)),
    ...reclaimsText(reclaims).map((each) => wrap(each, width)),
    '',
    threadTable(linesByKind(lines).windows),
    '',
    ...(cpu ? cpuText(cpu) : []),
    ...(trust.grade === 'poor' ? finding.map((each) => wrap(each, width)) : []),
    ...hypotheses.flatMap(hypothesisText),
    ...foldedWarnings(warnings).map((warning) => wrap(`Note: ${warning}`, width)),
    '',
    ...(published ? historyText() : []),
  ].join('\n');
}

function title(plan: ReclaimPlan): string {
  const { rateHz, timeMs, payloadBytes, coding, system } = plan;
  const size = payloadBytes === null ? 'bodies as recorded' : byteSize(payloadBytes);
  const backEnd = plan.browser?.backEnd ? `, ${plan.browser.backEnd} cache` : '';
  const policy = plan.policy === null ? '' : `, ${policyLabels[plan.policy]}`;
  const ratio = plan.reclaimRatio === null ? '' : `, reclaim ratio ${digits(plan.reclaimRatio)}`;
  const entries = plan.limitEntries === null ? '' : `${count(plan.limitEntries)} entries, `;
  return `${system}${backEnd}${storageWords(plan)}: ${digits(rateHz)} requests a second for ${seconds(timeMs)}, ${size}, ${coding}, ${trafficWords(plan)}; limit ${entries}${byteSize(plan.limitBytes)}${policy}${ratio}`;
}

function storageWords({ browser }: ReclaimPlan): string {
  if (!browser || (browser.storage ?? 'none') === 'none') return '';
  return ` on ${browser.storage} at ${digits(browser.delayMs ?? 0)} ms`;
}

function usageText(
  { memory, entries, bytes, cpuShare, eventLoop }: ReclaimUsage,
  plan: ReclaimPlan,
) {
  const share = cpuShare === null ? unknownText : `${percent(cpuShare)} of a core`;
  const most = entries.most === null ? unknownText : count(entries.most);
  const of = plan.limitEntries === null ? '' : ` of ${count(plan.limitEntries)}`;
  const lines = [
    `Memory        first ${byteSize(memory.first)}, most ${byteSize(memory.most)}, last ${byteSize(memory.last)} (PSS)`,
    `Cache         at most ${most} entries${of}${sampledText(entries)}, ${byteSize(bytes.most)} of ${byteSize(plan.limitBytes)}${sampledText(bytes)}`,
    `Processor     ${share}`,
  ];
  if (eventLoop.maxMs !== null)
    lines.push(
      `Event loop    99 % of its timers within ${milliseconds(eventLoop.p99Ms)} (median of the sampling intervals), longest delay ${milliseconds(eventLoop.maxMs)}`,
    );
  return lines;
}

function reclaimsText(reclaims: EvictionOverview): string[] {
  if (reclaims.count === 0) return ['Evictions     none observed'];
  const { firstMs, evictedEach, durationMs, longestMs, policy } = reclaims;
  if (reclaims.isObserved) {
    const intervals = counted(reclaims.count, 'sampling interval');
    return [
      `Evictions     in ${intervals}, first after ${seconds(firstMs)}; at least ${count(reclaims.evicted)} entries. An interval may hold several passes.`,
      policy.finding,
    ];
  }
  const passes = reclaims.count === 1 ? 'pass' : 'passes';
  const each = `${milliseconds(durationMs)} each (longest ${milliseconds(longestMs)})`;
  const evicted = evictedEach === null ? unknownText : count(evictedEach);
  return [
    `Evictions     ${count(reclaims.count)} ${passes}, first after ${seconds(firstMs)}; ${evicted} entries${durationMs === null ? '' : `, ${each}`}`,
    policy.finding,
  ];
}

/**
 * Time of the threads with one name, as a share of one core, and the share of their time that they waited for a
 * processor.
 */
function threadTable(windows: readonly ReclaimWindow[]): string {
  const head = ['thread', 'of', 'user', 'system', 'of a core', 'waiting'];
  const busiest = threadStates(windows).slice(0, mostThreads);
  const rows = busiest.map(({ thread, type, userShare, systemShare, waitingShare }) => {
    const shares = [userShare, systemShare, userShare + systemShare, waitingShare];
    return [thread, type, ...shares.map(hundredths)];
  });
  return plainTable(head, 2, rows);
}

/** A share with two decimals of a percent. */
function hundredths(share: number | null): string {
  return share === null ? unknownText : `${(100 * share).toFixed(2)} %`;
}

function cpuText({ spanMs, shares }: CpuShareLine): string[] {
  const rows = shares.slice(0, mostThreads).map(({ module, share: each, functions }) => {
    const names = functions
      .filter(({ name }) => name !== module)
      .slice(0, 2)
      .map(({ name }) => name.slice(0, 16));
    return [module.slice(-36), hundredths(each), names.join(', ')];
  });
  const table = plainTable(['module', 'share', 'most of it in'], [0, 2], rows);
  return [`Time of the origin's thread, profiled for ${seconds(spanMs)}`, table, ''];
}

const marks = { supported: 'yes', refuted: 'NO', unknown: '?' } as const;

function hypothesisText({ name, verdict, claims }: Hypothesis): string[] {
  return [
    wrap(`Hypothesis: ${name}: ${verdict.toUpperCase()}`, width),
    ...claims.map((claim) =>
      wrap(`- ${marks[claim.verdict]}: ${claim.name}: ${claim.evidence}`, width),
    ),
    '',
  ];
}

/** The values of the BBC Belfrage report, for context: they were measured on other machines. */
function historyText(): string[] {
  const accounting = publishedAccounting.map(({ thread, percent }) => {
    const told = percent
      .map((value, index) => ({ value, state: accountingStates[index] }))
      .filter(({ value }) => value > 0)
      .toSorted((one, other) => other.value - one.value)
      .map(({ value, state }) => `${state} ${value.toFixed(2)} %`);
    return wrap(`${thread}: ${told.join(', ')}`, width);
  });
  const { requests, hitRate, responseMs } = publishedReplay;
  return [
    'Published: Test Results: cache limit and reclaim (BBC Belfrage, 2020)',
    'Measured on other machines: not directly comparable with this run.',
    '',
    ...publishedText(),
    wrap(
      `Replay for 30 minutes of 50 % of the traffic, 100 KB gzip: about ${count(requests)} requests, responses in ${responseMs.low} to ${responseMs.high} ms, hit rate ${100 * hitRate} %`,
      width,
    ),
    '',
    'Where time went in a minute of it, by kind of thread:',
    ...accounting,
    '',
  ];
}
