import { declared } from '../page/declared.ts';
import type { Page, Section, Term } from '../page/page.ts';
import { byteSize, count, counted, digits, milliseconds, percent, seconds } from '../quantity.ts';
import { reclaimCharts } from './charts.ts';
import type { EvictionPass } from './eviction-pass.ts';
import { publishedReplay } from './history.ts';
import type { Hypothesis } from './hypothesis.ts';
import { limitWords, type ReclaimPlan, trafficWords } from './plan.ts';
import { evictionOrderLabels, evictionOrders, policyShown } from './policy-shown.ts';
import { linesByKind, type ReclaimRun, type ReclaimRunDocument, savedReclaim } from './run.ts';
import {
  type EvictionOverview,
  hypothesisVerdicts,
  type ReclaimSummary,
  summarizeReclaim,
} from './summary.ts';
import { profileTable, publishedAccountingTable, threadTable } from './processor-tables.ts';
import { evictedTable, histogramTable, loadTable, passTable, windowTable } from './tables.ts';
import { sampledText, threadStates } from './usage.ts';
import { publishedText, vegetaText } from './vegeta.ts';

/** A cache with a size limit under constant load. */
export const reclaim = declared(savedReclaim, {
  summarize: ({ run, lines }) => summarizeReclaim(run, lines),
  page,
});

function page({ run, lines }: ReclaimRunDocument, summary: ReclaimSummary): Page {
  const { windows, passes, cpu } = linesByKind(lines);
  const { report, hypotheses, finding, warnings } = summary;
  return {
    title: `${systemNames[run.plan.system]} under constant load`,
    facts: facts(run),
    headline: [...Map.groupBy(hypotheses, ({ verdict }) => verdict)]
      .map(([verdict, own]) => {
        return `${hypothesisVerdicts[verdict]}: ${own.map(({ name }) => name).join('; ')}`;
      })
      .join('. '),
    finding,
    warnings,
    charts: reclaimCharts(run.plan, windows, passes),
    sections: [
      {
        title: 'The load, with Vegeta’s metric names',
        tables: [loadTable(report), windowTable(windows), histogramTable(windows)],
        lines: vegetaText(report),
      },
      { title: 'The system under load', terms: usageTerms(run.plan, summary) },
      ...evictions(passes),
      {
        title: 'Processor time',
        tables: [threadTable(threadStates(windows)), ...(cpu === null ? [] : [profileTable(cpu)])],
      },
      ...hypotheses.map(hypothesisSection),
      publishedSection(),
    ],
    closing: usageTerms(run.plan, summary)
      .filter(([term]) => ['Memory', 'Evictions'].includes(term))
      .map((term) => term.join(': ')),
  };
}

const systemNames: Readonly<Record<ReclaimPlan['system'], string>> = {
  origin: 'The origin’s store of encoded variants',
  chromium: 'Chromium’s disk cache',
  'chromium-memory': 'Chromium’s cache in memory',
};

function facts({ plan, environment }: ReclaimRun): string[] {
  return [
    `${digits(plan.rateHz)} requests a second for ${seconds(plan.timeMs)}`,
    plan.payloadBytes === null ? 'sizes as recorded' : byteSize(plan.payloadBytes),
    plan.coding,
    ...(plan.system === 'origin' ? [] : [environment.chromium.version, backEndWords(plan)]),
    trafficWords(plan),
    `at most ${limitWords(plan)}`,
  ];
}

function backEndWords({ browser }: ReclaimPlan): string {
  const { backEnd, storage = 'none', delayMs = 0 } = browser ?? {};
  const disk = storage === 'none' ? '' : `, ${storage} at ${milliseconds(delayMs)}`;
  return `back end ${backEnd ?? 'chosen by Chromium'}${disk}`;
}

function usageTerms(plan: ReclaimPlan, { usage, reclaims }: ReclaimSummary): Term[] {
  const { memory, entries, bytes, cpuShare, eventLoop } = usage;
  const of = plan.limitEntries === null ? '' : ` of ${count(plan.limitEntries)}`;
  return [
    [
      'Memory',
      `first ${byteSize(memory.first)}, most ${byteSize(memory.most)}, last ${byteSize(memory.last)} (PSS: shared pages count proportionally)${sampledText(memory)}`,
    ],
    [
      'Cache',
      `at most ${count(entries.most)} entries${of}${sampledText(entries)}, ${byteSize(bytes.most)} of ${byteSize(plan.limitBytes)}${sampledText(bytes)}`,
    ],
    ['Processor', `${percent(cpuShare)} of a core`],
    ...(eventLoop.maxMs === null
      ? []
      : [
          [
            'Event loop',
            `99 % of its timers within ${milliseconds(eventLoop.p99Ms)} (median of the sampling intervals), longest delay ${milliseconds(eventLoop.maxMs)}`,
          ] as const,
        ]),
    ['Evictions', evictionText(reclaims)],
  ];
}

function evictionText(reclaims: EvictionOverview): string {
  const { firstMs, evicted, evictedEach, durationMs, longestMs, policy } = reclaims;
  if (reclaims.count === 0) return 'none observed';
  if (reclaims.isObserved)
    return `in ${counted(reclaims.count, 'sampling interval')}, first after ${seconds(firstMs)}; at least ${count(evicted)} entries in total. An interval may hold several passes. ${policy.finding}`;
  const passes = reclaims.count === 1 ? '1 pass' : `${count(reclaims.count)} passes`;
  const time =
    durationMs === null
      ? ''
      : `, ${milliseconds(durationMs)} (longest pass ${milliseconds(longestMs)})`;
  // The median is of the passes that are lines of their own: several in one line are known by their sum only.
  return `${passes}, first after ${seconds(firstMs)}; ${count(evicted)} entries in total; median pass ${count(evictedEach)} entries${time}. ${policy.finding}`;
}

/** The last eviction pass in detail, and every pass in the CSV file. */
function evictions(passes: readonly EvictionPass[]): Section[] {
  const { orders } = policyShown(passes);
  return [
    {
      title: 'Evicted entries',
      tables: [passTable(passes), evictedTable(passes.at(-1)?.examples ?? [])],
      terms:
        passes.length === 0
          ? []
          : evictionOrders.map((order) => [evictionOrderLabels[order], percent(orders[order])]),
    },
  ];
}

const marks = { supported: 'yes', refuted: 'NO', unknown: '?' } as const;

function hypothesisSection({ name, verdict, claims }: Hypothesis): Section {
  return {
    title: `Hypothesis: ${name}: ${verdict.toUpperCase()}`,
    terms: claims.map((claim) => [`${marks[claim.verdict]}: ${claim.name}`, claim.evidence]),
    isDetail: true,
  };
}

/** The values of the BBC Belfrage report, for context. */
function publishedSection(): Section {
  const { requests, hitRate, responseMs } = publishedReplay;
  return {
    title:
      'Published: Test Results: cache limit and reclaim (BBC Belfrage, 2020), on other machines',
    tables: [publishedAccountingTable()],
    sentences: [
      `Replay for 30 minutes of 50 % of the traffic, 100 KB gzip: about ${count(requests)} requests, responses in ${responseMs.low} to ${responseMs.high} ms, hit rate ${percent(hitRate)}.`,
    ],
    lines: publishedText(),
    isDetail: true,
  };
}
