import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { byteSize, digits } from '@cachescope/model/quantity.ts';
import type { Hypothesis } from '@cachescope/model/reclaim/hypothesis.ts';
import type { ReclaimMoment } from '@cachescope/model/reclaim/moment.ts';
import { policyLabels, type ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import {
  evictionOrderLabels,
  evictionOrders,
  policyShown,
} from '@cachescope/model/reclaim/policy-shown.ts';
import { trafficWords } from '@cachescope/model/reclaim/report.ts';
import type { ReclaimRun, ReclaimRunDocument } from '@cachescope/model/reclaim/run.ts';
import {
  linesByKind,
  type ReclaimSummary,
  summarizeReclaim,
} from '@cachescope/model/reclaim/summary.ts';
import { threadStates } from '@cachescope/model/reclaim/threads.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { figureView } from '../../charts/figure.ts';
import { reclaimFigures } from './figures.ts';
import { evictedTable, loadTable } from './load-table.ts';
import { profileTable, publishedAccountingTable, threadTable } from './processor-tables.ts';
import { runFacts } from '../../run/facts.ts';
import { oncePer } from '../../once-per.ts';

/** A cache under constant load: hypotheses, the load, everything against time, what went, where processor time went. */
export function reclaimView(document: ReclaimRunDocument, isDark: boolean): TemplateResult {
  const { run, lines } = document;
  const summary = summaryOf(document);
  const { windows, moments, cpu } = linesByKind(lines);
  const figures = reclaimFigures({ plan: run.plan, windows, moments, summary });
  return html`<article>
    ${title(run)}
    <div class="conclusion">${finding(summary)} ${warnings(run, summary)}</div>
    <section class="reclaim">
      <h2>Hypotheses</h2>
      ${summary.hypotheses.map(hypothesisView)}
    </section>
    <section>
      <h2>The load</h2>
      ${loadTable(summary.report)}
    </section>
    <section>
      <h2>Against time</h2>
      <div class="figures">${figures.map((figure) => figureView(figure, [summary, isDark]))}</div>
    </section>
    ${evictions(moments)}
    <section class="reclaim">
      <h2>Where processor time went</h2>
      ${threadTable(threadStates(windows))} ${cpu === null ? nothing : profileTable(cpu)}
      ${publishedAccountingTable()}
    </section>
    ${circumstances(run)}
  </article>`;
}

/** Intervals and resamples take long. */
const summaryOf = oncePer(({ run, lines }: ReclaimRunDocument) => summarizeReclaim(run, lines));

const systemNames: Readonly<Record<ReclaimPlan['system'], string>> = {
  origin: 'The origin’s store of encoded variants',
  chromium: 'Chromium’s disk cache',
  'chromium-memory': 'Chromium’s cache in memory',
};

function title(run: ReclaimRun): TemplateResult {
  const { plan, environment } = run;
  return html`<header>
    <h1>${systemNames[plan.system]} under constant load</h1>
    ${runFacts(run, [
      `${digits(plan.rateHz)} requests a second for ${digits(plan.timeMs / 1000)} s`,
      plan.payloadBytes === null ? 'sizes as recorded' : byteSize(plan.payloadBytes),
      trafficWords(plan),
      limitWords(plan),
      ...(plan.system === 'origin' ? [] : [environment.chromium.version, backEndWords(plan)]),
    ])}
  </header>`;
}

function limitWords({ limitEntries, limitBytes, policy }: ReclaimPlan): string {
  const entries = limitEntries === null ? '' : `${digits(limitEntries)} entries or `;
  const way = policy === null ? '' : `, ${policyLabels[policy]}`;
  return `at most ${entries}${byteSize(limitBytes)}${way}`;
}

function backEndWords({ browser }: ReclaimPlan): string {
  const storage =
    browser === null || browser.storage === 'none'
      ? ''
      : `, ${browser.storage} at ${digits(browser.delayMs)} ms`;
  return `back end ${browser?.backEnd ?? 'chosen by Chromium'}${storage}`;
}

function finding({ finding: [answer = '', ...reasons] }: ReclaimSummary): TemplateResult {
  return html`<section>
    <h2>Finding</h2>
    <p class="answer">${answer}</p>
    ${sentences(reasons)}
  </section>`;
}

function sentences(list: readonly string[]): TemplateResult {
  return html`<ul>
    ${list.map((sentence) => html`<li>${sentence}</li>`)}
  </ul>`;
}

function warnings(run: ReclaimRun, summary: ReclaimSummary): TemplateResult | typeof nothing {
  const list = foldedWarnings([...run.warnings, ...summary.warnings]);
  if (list.length === 0) return nothing;
  return html`<section class="warnings">
    <h2>Warnings</h2>
    ${sentences(list)}
  </section>`;
}

const signs = { supported: '✓', refuted: '✗', unknown: '?' } as const;

function hypothesisView({ name, verdict, claims }: Hypothesis): TemplateResult {
  return html`<h3>${signs[verdict]} ${name}: ${verdict}</h3>
    <dl>
      ${claims.map(
        (claim) =>
          html`<dt>${signs[claim.verdict]} ${claim.name}</dt>
            <dd>${claim.evidence}</dd>`,
      )}
    </dl>`;
}

function evictions(moments: readonly ReclaimMoment[]): TemplateResult | typeof nothing {
  const last = moments.at(-1);
  if (!last) return nothing;
  const shown = policyShown(moments);
  const parts = evictionOrders.map((order) => {
    const share = shown.orders[order];
    return `${evictionOrderLabels[order]} ${share === null ? '–' : `${digits(100 * share)} %`}`;
  });
  return html`<section class="reclaim">
    <h2>What went</h2>
    <p>${shown.finding}</p>
    <p class="facts">${parts.map((part) => html`<span>${part}</span>`)}</p>
    ${last.examples.length === 0 ? nothing : evictedTable(last.examples)}
  </section>`;
}

function circumstances(run: ReclaimRun): TemplateResult {
  const { environment, commandLine, tool } = run;
  const terms: [term: string, value: string][] = [
    ['Storage', environment.storage],
    [
      'Machine',
      `${environment.cpu}, ${environment.cores} cores, ${byteSize(environment.memoryBytes)}`,
    ],
    ['System', `${environment.os}, kernel ${environment.kernel}, Node ${environment.node}`],
    ['Flags', environment.chromium.flags.join(' ') || 'no browser'],
    ['Command', `cachescope ${commandLine.join(' ')}`],
    ['Written by', `${tool.name} ${tool.version}`],
  ];
  return html`<details>
    <summary><h2>How it was measured</h2></summary>
    <dl>
      ${terms.map(
        ([term, value]) =>
          html`<dt>${term}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </details>`;
}
