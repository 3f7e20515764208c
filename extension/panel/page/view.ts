import type { DeclaredExperiment } from '@cachescope/model/page/declared.ts';
import { headlineOf, type Page, type Section } from '@cachescope/model/page/page.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { Figure } from '../charts/figure.ts';
import { oncePer } from '../once-per.ts';
import { conclusion, conditions, runHeader, sentenceList, termList } from '../run/sections.ts';
import type { Theme } from '../run/view-tools.ts';
import { figureOf } from './figure.ts';
import { tableView } from './table.ts';

/**
 * The view of a declared experiment, from the answer to the evidence. `drawn` are figures that no other experiment has,
 * after the declared charts.
 */
export function viewOf<Document extends { run: RunBase }, Summary extends { trust: Trust }>(
  experiment: Pick<DeclaredExperiment<Document, never, never, Summary>, 'summarize' | 'page'>,
  drawn: (document: Document, summary: Summary) => Figure[] = () => [],
) {
  // Cached because intervals and resampling are slow.
  const shownOf = oncePer((document: Document) => {
    const summary = experiment.summarize(document);
    const page = experiment.page(document, summary);
    const { charts = [] } = page;
    return {
      trust: summary.trust,
      page,
      figures: [...charts.map(figureOf), ...drawn(document, summary)],
    };
  });
  return (document: Document, { isDark }: Theme): TemplateResult => {
    const { trust, page, figures } = shownOf(document);
    return pageView(document.run, trust, page, figures, [page, isDark]);
  };
}

function pageView(
  run: RunBase,
  trust: Trust,
  page: Page,
  figures: readonly Figure[],
  key: readonly unknown[],
): TemplateResult {
  const { finding, warnings = [], sections, conditions: own = [] } = page;
  return html`<article>
    ${runHeader({ ...page, headline: headlineOf(page, trust) }, run, trust)}
    ${conclusion(finding, [...run.warnings, ...warnings], figures, key)}
    ${sections.map(sectionView)} ${conditions(run, own)}
  </article>`;
}

function sectionView(section: Section): TemplateResult | readonly TemplateResult[] {
  const { title, tables = [], sentences = [], terms = [], isDetail = false } = section;
  const shown = tables.flatMap((table) => table.shown('html'));
  if (title === undefined)
    return shown.map((each) => titled(each.title, html`${tableView(each)}`, isDetail));
  if (shown.length + sentences.length + terms.length === 0) return [];
  const content = html`${shown.map(tableView)}
  ${sentences.length > 0 ? sentenceList(sentences) : nothing}
  ${terms.length > 0 ? termList(terms) : nothing}`;
  return titled(title, content, isDetail);
}

function titled(title: string, content: TemplateResult, isDetail: boolean): TemplateResult {
  const heading = html`<h2>${title}</h2>`;
  return isDetail
    ? html`<details>
        <summary>${heading}</summary>
        ${content}
      </details>`
    : html`<section>${heading} ${content}</section>`;
}
