import { byteSize, digits, milliseconds, percent, seconds } from '@cachescope/model/quantity.ts';
import type { Hypothesis } from '@cachescope/model/reclaim/hypothesis.ts';
import type { EvictionPass } from '@cachescope/model/reclaim/eviction-pass.ts';
import { limitWords, type ReclaimPlan, trafficWords } from '@cachescope/model/reclaim/plan.ts';
import {
  evictionOrderLabels,
  evictionOrders,
  policyShown,
} from '@cachescope/model/reclaim/policy-shown.ts';
import {
  linesByKind,
  type ReclaimRun,
  type ReclaimRunDocument,
} from '@cachescope/model/reclaim/run.ts';
import { summarizeReclaim } from '@cachescope/model/reclaim/summary.ts';
import { threadStates } from '@cachescope/model/reclaim/usage.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { reclaimFigures } from './figures.ts';
import {
  evictedTable,
  loadTable,
  profileTable,
  publishedAccountingTable,
  threadTable,
} from './tables.ts';
import { oncePer } from '../../once-per.ts';
import { chartSection, conclusion, conditions, runHeader, termList } from '../../run/sections.ts';
import type { Theme } from '../../run/view-tools.ts';

/** A cache under constant load: hypotheses, the load, all values over time, evicted entries, processor time. */
export function view(document: ReclaimRunDocument, { isDark }: Theme): TemplateResult {
  const { run, lines } = document;
  const summary = summaryOf(document);
  const { windows, passes, cpu } = linesByKind(lines);
  const figures = reclaimFigures({ plan: run.plan, windows, passes, summary });
  return html`<article>
    ${title(run, summary.trust)}
    ${conclusion(summary.finding, [...run.warnings, ...summary.warnings])}
    <section class="reclaim">
      <h2>Hypotheses</h2>
      ${summary.hypotheses.map(hypothesisView)}
    </section>
    <section>
      <h2>The load</h2>
      ${loadTable(summary.report)}
    </section>
    ${chartSection(figures, [summary, isDark], 'Values over time')} ${evictions(passes)}
    <section class="reclaim">
      <h2>Processor time</h2>
      ${threadTable(threadStates(windows))} ${cpu === null ? nothing : profileTable(cpu)}
      ${publishedAccountingTable()}
    </section>
    ${conditions(run, [])}
  </article>`;
}

/** Cached because intervals and resampling are slow. */
const summaryOf = oncePer(({ run, lines }: ReclaimRunDocument) => summarizeReclaim(run, lines));

const systemNames: Readonly<Record<ReclaimPlan['system'], string>> = {
  origin: 'The origin’s store of encoded variants',
  chromium: 'Chromium’s disk cache',
  'chromium-memory': 'Chromium’s cache in memory',
};

function title(run: ReclaimRun, trust: Trust): TemplateResult {
  const { plan, environment } = run;
  return runHeader(`${systemNames[plan.system]} under constant load`, run, trust, [
    `${digits(plan.rateHz)} requests a second for ${seconds(plan.timeMs)}`,
    plan.payloadBytes === null ? 'sizes as recorded' : byteSize(plan.payloadBytes),
    trafficWords(plan),
    `at most ${limitWords(plan)}`,
    ...(plan.system === 'origin' ? [] : [environment.chromium.version, backEndWords(plan)]),
  ]);
}

function backEndWords({ browser }: ReclaimPlan): string {
  const { backEnd, storage = 'none', delayMs = 0 } = browser ?? {};
  const disk = storage === 'none' ? '' : `, ${storage} at ${milliseconds(delayMs)}`;
  return `back end ${backEnd ?? 'chosen by Chromium'}${disk}`;
}

const signs = { supported: '✓', refuted: '✗', unknown: '?' } as const;

function hypothesisView({ name, verdict, claims }: Hypothesis): TemplateResult {
  return html`<h3>${signs[verdict]} ${name}: ${verdict}</h3>
    ${termList(claims.map((claim) => [`${signs[claim.verdict]} ${claim.name}`, claim.evidence]))}`;
}

function evictions(passes: readonly EvictionPass[]): TemplateResult | typeof nothing {
  const last = passes.at(-1);
  if (!last) return nothing;
  const { finding, orders } = policyShown(passes);
  const facts = evictionOrders.map(
    (order) => html`<span>${evictionOrderLabels[order]} ${percent(orders[order])}</span>`,
  );
  return html`<section class="reclaim">
    <h2>Evicted entries</h2>
    <p>${finding}</p>
    <p class="facts">${facts}</p>
    ${last.examples.length === 0 ? nothing : evictedTable(last.examples)}
  </section>`;
}
